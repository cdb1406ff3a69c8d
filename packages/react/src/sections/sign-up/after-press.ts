const POINTER_EVENTS = ['pointerdown', 'pointerup', 'pointercancel'];

let isPressed = false;

const release = () => {
  isPressed = false;
};

/** Tracks whether a pointer is pressed. @returns A function that stops this. */
export function watchPress(): () => void {
  const onPress = ({ type }: Event) => {
    if (type === POINTER_EVENTS[0]) isPressed = true;
    // The click comes after the release.
    else setTimeout(release);
  };
  for (const event of POINTER_EVENTS) addEventListener(event, onPress, true);
  return () => {
    for (const event of POINTER_EVENTS) removeEventListener(event, onPress, true);
  };
}

/**
 * Runs `act` at once, or after the current press, which is checked once per frame (16 ms): a button that moves during a
 * press loses its click.
 */
export function afterPress(act: () => void): void {
  if (isPressed) setTimeout(afterPress, 16, act);
  else act();
}
