import type { Connections } from '../database/connections.ts';

/** The clocks are compared again after this, in milliseconds, because a clock may be set while the server runs. */
const COMPARE_INTERVAL_MS = 30_000;
/** Differences below this are ignored, in milliseconds: network delay and NTP cause them. */
const TOLERANCE_MS = 1_000;

const NOW = {
  name: 'pillion clock',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
};

/**
 * Compares the database's clock with this server's. Servers share leases, so these use the database's clock.
 * Otherwise a server with a wrong clock would claim the rows of another.
 * @param now This server's clock.
 * @returns A function that returns how far the database's clock is ahead, in milliseconds. It rejects if the database
 *   does not respond.
 */
export function createClockOffset({ query }: Pick<Connections, 'query'>, now: () => number = Date.now) {
  let offsetMs = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let comparing: Promise<void> | null = null;

  async function compare(): Promise<void> {
    const startedAt = performance.now();
    const [row] = await query<{ now: number }>(NOW, []);
    const difference = (row?.now ?? now()) - now();
    offsetMs = Math.abs(difference) < TOLERANCE_MS ? 0 : Math.round(difference);
    comparedAt = startedAt;
  }

  return async (): Promise<number> => {
    if (performance.now() - comparedAt < COMPARE_INTERVAL_MS) return offsetMs;
    comparing ??= compare().finally(() => {
      comparing = null;
    });
    await comparing;
    return offsetMs;
  };
}
