import { withTimeout } from '@pillion/lib/timeout.ts';
import type { Connections, Statement } from '@pillion/sign-ups/database/connections.ts';
import type { QueryResultRow } from 'pg';

/** After a call that failed or came late nobody is asked for so long, in milliseconds: no visitor waits for the next one. */
const REST_MS = 2_000;

/** Asks the database. @returns `null` where it cannot be asked, fails or is late. Never rejects. */
export type Ask = <Row extends QueryResultRow>(
  withinMs: number,
  statement: Statement,
  values: unknown[],
) => Promise<Row[] | null>;

/**
 * Questions that somebody waits for, each for a bounded time.
 * @param isUp Whether the database answers, as far as is known: where it does not, nothing is tried.
 * @param now Milliseconds that never jump.
 */
export function createAsk(connections: Pick<Connections, 'query'>, isUp: () => boolean, now = () => performance.now()) {
  let restsUntil = Number.NEGATIVE_INFINITY;
  const ask: Ask = async <Row extends QueryResultRow>(withinMs: number, statement: Statement, values: unknown[]) => {
    if (!isUp() || now() < restsUntil) return null;
    try {
      return await withTimeout(withinMs, () => connections.query<Row>(statement, values));
    } catch {
      restsUntil = now() + REST_MS;
      return null;
    }
  };
  return ask;
}
