interface Fader {
  /** Fades from the current volume to `volume`, 0..1, in `seconds`. A fade to the same volume continues unchanged. */
  to(volume: number, seconds: number): void;
  /** Sets the volume to 0 at once. */
  silence(): void;
  isMoving(): boolean;
}

/**
 * Delay of a fade, in seconds. The browser renders sound a little ahead of the clock that we read; without the delay
 * the volume would jump.
 */
const LEAD_S = 0.05;

/**
 * Fades a volume linearly; a fade can be reversed midway without a jump. The current value is calculated, not read:
 * Firefox returns the last value that was set, and has no `cancelAndHoldAtTime`.
 * @param now Time of the audio context, in seconds.
 */
export function createFader(volume: AudioParam, now: () => number): Fader {
  let from = { value: 0, time: 0 };
  let to = from;
  const valueAt = (time: number) =>
    time < to.time ? from.value + ((to.value - from.value) * (time - from.time)) / (to.time - from.time) : to.value;
  const reset = () => {
    from = to = { value: 0, time: now() };
    volume.cancelScheduledValues(0);
    volume.setValueAtTime(0, from.time);
  };
  reset();

  return {
    to(value, seconds) {
      if (value === to.value) return;
      // Not before the current fade starts, because its start is not cancelled below.
      const time = Math.max(now() + LEAD_S, from.time);
      const start = { value: valueAt(time), time };
      if (now() < to.time) volume.cancelScheduledValues(to.time);
      from = start;
      to = { value, time: time + seconds };
      // The old ramp, shortened to end where the new one starts.
      volume.linearRampToValueAtTime(from.value, from.time);
      volume.linearRampToValueAtTime(to.value, to.time);
    },
    silence() {
      reset();
      // Takes effect within one audio block, and readers see it at once.
      volume.value = 0;
    },
    isMoving: () => now() < to.time,
  };
}
