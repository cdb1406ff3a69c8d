let isPressed = false;

/** Knows from now on whether a button or a finger is down. @returns Its undo. */
export function watchPress(): () => void {
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  const set = (pressed: boolean) => {
    isPressed = pressed;
  };
  addEventListener('pointerdown', () => set(true), options);
  // The click follows the release.
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(set, 0, false), options);
  return () => controller.abort();
}

/** Does something at once, or after the press that is under way: what moves beneath a press loses its click. */
export function afterPress(act: () => void): void {
  if (isPressed) setTimeout(afterPress, 16, act);
  else act();
}
