import { createHmac, type KeyObject } from 'node:crypto';
import { named } from '@pillion/sign-ups/database/connections.ts';
import type { Account, SharedAccounts, Use } from '@pillion/sign-ups/guards/shared-accounts.ts';
import { ACCOUNTS } from './schema.ts';
import type { TimedQuery } from './timed-query.ts';

/** Timeout in milliseconds. After it only this server's own count applies. */
const TIMEOUT_MS = 300;

const NOW = `extract(epoch FROM clock_timestamp()) * 1000`;

/**
 * Charges all accounts of a use, or none. Parameters: $1 to $4 are columns with the accounts: key, cost and window in
 * milliseconds, and `Charge.moment`; $5 is the key of the use, or NULL; $6 how long it is remembered, in milliseconds. Two
 * requests at once may both pass: each is charged, so the next one waits for both.
 */
const TAKE = named(
  'take',
  `
    WITH clock AS (SELECT ${NOW} AS now),
      -- Empty if the use has no key or was never counted.
      earlier AS (SELECT clear_at > now AS is_remembered FROM ${ACCOUNTS}, clock WHERE key = $5),
      due AS (
        SELECT key, cost, span FROM unnest($1::text[], $2::float8[], $3::float8[], $4::text[])
          AS charge (key, cost, span, moment)
        WHERE moment IN ('always', CASE WHEN (SELECT is_remembered FROM earlier) THEN 'again' ELSE 'first' END)
      ),
      -- Until every account has room for its cost (GCRA).
      wait AS (
        SELECT coalesce(max(greatest(coalesce(held.clear_at, now), now) + cost - now - span), 0) AS ms
        FROM due CROSS JOIN clock LEFT JOIN ${ACCOUNTS} AS held USING (key)
      ),
      charged AS (
        INSERT INTO ${ACCOUNTS} AS held (key, clear_at)
        SELECT key, clear_at FROM (
          SELECT key, now + cost AS clear_at FROM due, clock
          UNION ALL
          SELECT $5, now + $6::float8 FROM clock
            WHERE $5::text IS NOT NULL AND NOT EXISTS (SELECT FROM earlier WHERE is_remembered)
        ) AS written
        WHERE (SELECT ms FROM wait) <= 0
        -- All requests lock rows in this order, which prevents deadlocks.
        ORDER BY key
        -- The key of the use is set; an account grows by its cost.
        ON CONFLICT (key) DO UPDATE SET clear_at = CASE WHEN held.key = $5 THEN excluded.clear_at
          ELSE greatest(held.clear_at, (SELECT now FROM clock)) + excluded.clear_at - (SELECT now FROM clock) END
      )
    SELECT greatest(ms, 0) AS ms FROM wait`,
);

const REFUND = named('refund', `UPDATE ${ACCOUNTS} SET clear_at = clear_at - $2 WHERE key = $1`);

/** Removes accounts that have their full limit again. */
export const CLEAR_ACCOUNTS = named('clear accounts', `DELETE FROM ${ACCOUNTS} WHERE clear_at < ${NOW}`);

/** An account, and which uses charge it: all, those that were not remembered, or those that were. */
type Charge = Account & { moment: 'always' | 'first' | 'again' };

function listCharges({ accounts, once }: Use): Charge[] {
  const always = accounts.map((account): Charge => ({ ...account, moment: 'always' }));
  return once ? [...always, { ...once.first, moment: 'first' }, { ...once.again, moment: 'again' }] : always;
}

/**
 * Rate limits in the database.
 * @param key For the HMAC of each name, so that the table holds no visitor's address.
 */
export function createSharedAccounts(timedQuery: TimedQuery, key: KeyObject): SharedAccounts {
  const hashName = (name: string) => createHmac('sha256', key).update(name).digest('base64url').slice(0, 22);

  return {
    async take(use) {
      const charges = listCharges(use);
      const rows = await timedQuery<{ ms: number }>(TIMEOUT_MS, TAKE, [
        charges.map(({ key }) => hashName(key)),
        charges.map(({ costMs }) => costMs),
        charges.map(({ windowMs }) => windowMs),
        charges.map(({ moment }) => moment),
        use.once && hashName(use.once.key),
        use.once?.forMs ?? 0,
      ]);
      return rows?.[0]?.ms ?? 0;
    },
    async refund({ key: name, costMs }: Account) {
      await timedQuery(TIMEOUT_MS, REFUND, [hashName(name), costMs]);
    },
  };
}
