import { withTimeout } from '@pillion/lib/timeout.ts';
import type { Connections, Statement } from '@pillion/sign-ups/database/connections.ts';
import type { QueryResultRow } from 'pg';

/** Pause after a query that failed or timed out, in milliseconds, so that no visitor waits for the next one. */
const REST_MS = 2_000;

/** Timeout of queries that an editor or WordPress waits for, in milliseconds. */
export const ASK_WITHIN_MS = 1_000;

/** Queries the database. @returns `null` if it is unavailable, fails or times out. Never rejects. */
export type Ask = <Row extends QueryResultRow>(
  withinMs: number,
  statement: Statement,
  values: unknown[],
) => Promise<Row[] | null>;

/**
 * Queries that a request waits for, each with a timeout.
 * @param isUp Whether the database answered last. If not, no query is sent.
 */
export function createAsk(connections: Pick<Connections, 'query'>, isUp: () => boolean) {
  let restsUntil = Number.NEGATIVE_INFINITY;
  const ask: Ask = async <Row extends QueryResultRow>(withinMs: number, statement: Statement, values: unknown[]) => {
    if (!isUp() || performance.now() < restsUntil) return null;
    try {
      return await withTimeout(withinMs, () => connections.query<Row>(statement, values));
    } catch {
      restsUntil = performance.now() + REST_MS;
      return null;
    }
  };
  return ask;
}
