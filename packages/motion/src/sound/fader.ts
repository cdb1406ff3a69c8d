interface Fader {
  /** Fades from wherever the volume is to `volume`, 0..1, within `seconds`. Being on the way there already, goes on. */
  to(volume: number, seconds: number): void;
  /** Silence at once. */
  hush(): void;
  isMoving(): boolean;
}

/**
 * A fade begins this much later than asked, in seconds. The browser renders sound a little ahead of the clock that we
 * read; a fade that began before that point would jump.
 */
const LEAD_S = 0.05;

/**
 * Moves a volume in straight lines that can be turned round midway without a jump. The present value is reckoned, not
 * read: Firefox answers with the last one set, and has no `cancelAndHoldAtTime`.
 * @param now Seconds on the clock of the parameter's context.
 */
export function createFader(volume: AudioParam, now: () => number): Fader {
  let from = { value: 0, time: 0 };
  let to = from;
  const valueAt = (time: number) =>
    time < to.time ? from.value + ((to.value - from.value) * (time - from.time)) / (to.time - from.time) : to.value;
  const rest = () => {
    from = to = { value: 0, time: now() };
    volume.cancelScheduledValues(0);
    volume.setValueAtTime(0, from.time);
  };
  rest();

  return {
    to(value, seconds) {
      if (value === to.value) return;
      // Never before the running fade begins: only what is scheduled after its beginning is cancelled.
      const time = Math.max(now() + LEAD_S, from.time);
      const held = { value: valueAt(time), time };
      if (now() < to.time) volume.cancelScheduledValues(to.time);
      from = held;
      to = { value, time: time + seconds };
      // The same line as before, cut off at the turn.
      volume.linearRampToValueAtTime(from.value, from.time);
      volume.linearRampToValueAtTime(to.value, to.time);
    },
    hush() {
      rest();
      // Heard within one block, and true at once for whoever reads it.
      volume.value = 0;
    },
    isMoving: () => now() < to.time,
  };
}
