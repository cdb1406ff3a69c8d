/** Maximum number of lamps on the pass. */
export const MAX_LAMPS = 90;

/** Up to this number, each rider has a lamp. */
const RIDERS_WITH_OWN_LAMP = 24;

/** Number of riders from which all lamps are lit. */
const FULL_AT_RIDERS = 100_000;

/**
 * Lamps for a number of riders: one each at first, then a decreasing share, so that 200 riders have more than 50 and
 * 100,000 still fit on the pass.
 * @param riders A whole number. Below 0 it counts as 0.
 * @returns 0 to `MAX_LAMPS`, never less for more riders.
 */
export function lampsFor(riders: number): number {
  if (riders <= RIDERS_WITH_OWN_LAMP) return Math.max(0, Math.floor(riders));
  const share = Math.log(riders / RIDERS_WITH_OWN_LAMP) / Math.log(FULL_AT_RIDERS / RIDERS_WITH_OWN_LAMP);
  return Math.min(MAX_LAMPS, RIDERS_WITH_OWN_LAMP + Math.floor((MAX_LAMPS - RIDERS_WITH_OWN_LAMP) * share));
}
