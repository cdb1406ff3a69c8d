/** Shows a toggle as pressed or not, or hides it with `null`. */
export function setPressed(toggle: HTMLElement, isPressed: boolean | null): void {
  Object.assign(toggle, { hidden: isPressed === null, ariaPressed: isPressed });
}
