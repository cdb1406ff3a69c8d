/** Shows a toggle as pressed or not, or hides it with `null`. */
export function press(toggle: HTMLElement, isPressed: boolean | null): void {
  toggle.hidden = isPressed === null;
  toggle.ariaPressed = isPressed === null ? null : String(isPressed);
}
