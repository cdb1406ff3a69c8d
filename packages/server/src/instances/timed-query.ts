import { withTimeout } from '@pillion/lib/timeout.ts';
import type { Connections, Statement } from '@pillion/sign-ups/database/connections.ts';
import type { QueryResultRow } from 'pg';

/** Pause after a query that failed or timed out, in milliseconds, so that no visitor waits for the next one. */
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** Timeout of queries that an editor or WordPress waits for, in milliseconds. */
export const QUERY_TIMEOUT_MS = 1_000;

/** Queries the database. @returns `null` if it is unavailable, fails or times out. Never rejects. */
export type TimedQuery = <Row extends QueryResultRow>(
  timeoutMs: number,
  statement: Statement,
  values: unknown[],
) => Promise<Row[] | null>;

/**
 * Queries that a request waits for, each with a timeout.
 * @param isConnected Whether the database answered last. If not, no query is sent.
 */
export function createTimedQuery(connections: Pick<Connections, 'query'>, isConnected: () => boolean) {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const timedQuery: TimedQuery = async <Row extends QueryResultRow>(
    timeoutMs: number,
    statement: Statement,
    values: unknown[],
  ) => {
    if (!isConnected() || performance.now() < pausedUntil) return null;
    try {
      return await withTimeout(timeoutMs, () => connections.query<Row>(statement, values));
    } catch {
      pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
      return null;
    }
  };
  return timedQuery;
}
