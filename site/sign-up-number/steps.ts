/** Lamps that the string up the pass can have: as many as the scene draws there at most. */
export const MOST_LAMPS = 90;

/** Number of riders with a lamp each. */
const ONE_EACH = 24;

/** Number of riders from which the string is full. */
const FULL_AT = 100_000;

/**
 * Lamps for a number of riders: one each at first, then ever fewer, so that 200 is more than 50 and 100,000
 * still fits on the pass.
 * @param riders A whole number. Below 0 it counts as 0.
 * @returns 0 to `MOST_LAMPS`, never less for more riders.
 */
export function lampsFor(riders: number): number {
  if (riders <= ONE_EACH) return Math.max(0, Math.floor(riders));
  const share = Math.log(riders / ONE_EACH) / Math.log(FULL_AT / ONE_EACH);
  return Math.min(MOST_LAMPS, ONE_EACH + Math.floor((MOST_LAMPS - ONE_EACH) * share));
}
