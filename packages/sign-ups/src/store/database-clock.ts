import type { Connections } from '../database/connections.ts';

/** A clock may be set while the server runs: it is compared anew after this, in milliseconds. */
const COMPARED_EVERY_MS = 30_000;
/** What the way to the database takes, and clocks that are kept by NTP, differ by less, in milliseconds. */
const TOLERANCE_MS = 1_000;

const NOW = {
  name: 'pillion clock',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
};

/**
 * How far the database's clock is ahead of this server's, in milliseconds. A lease is a time that several servers read:
 * it counts by the one clock that all of them share, else a server whose clock is wrong takes what another holds.
 * @param now This server's clock.
 */
export function createDatabaseClock({ query }: Pick<Connections, 'query'>, now: () => number = Date.now) {
  let ahead = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let comparing: Promise<void> | null = null;

  async function compare(): Promise<void> {
    const asked = performance.now();
    const [row] = await query<{ now: number }>(NOW, []);
    const difference = (row?.now ?? now()) - now();
    ahead = Math.abs(difference) < TOLERANCE_MS ? 0 : Math.round(difference);
    comparedAt = asked;
  }

  return {
    /** @throws Where the database cannot be asked. */
    async ahead(): Promise<number> {
      if (performance.now() - comparedAt < COMPARED_EVERY_MS) return ahead;
      comparing ??= compare().finally(() => {
        comparing = null;
      });
      await comparing;
      return ahead;
    },
  };
}
