const EVENTS = ['pointerdown', 'pointerup', 'pointercancel'];

let isPressed = false;

const release = () => {
  isPressed = false;
};

/** Knows from now on whether a button or a finger is down. @returns Its undo. */
export function watchPress(): () => void {
  const onPress = ({ type }: Event) => {
    if (type === EVENTS[0]) isPressed = true;
    // The click follows the release.
    else setTimeout(release);
  };
  for (const event of EVENTS) addEventListener(event, onPress, true);
  return () => {
    for (const event of EVENTS) removeEventListener(event, onPress, true);
  };
}

/** Does something at once, or after the press that is under way: what moves beneath a press loses its click. */
export function afterPress(act: () => void): void {
  if (isPressed) setTimeout(afterPress, 16, act);
  else act();
}
