import { createHmac, type KeyObject } from 'node:crypto';
import { named } from '@pillion/sign-ups/database/connections.ts';
import type { Account, SharedAccounts, Use } from '@pillion/sign-ups/guards/shared-accounts.ts';
import type { Ask } from './asking.ts';
import { ACCOUNTS } from './schema.ts';

/** Timeout in milliseconds. After it only this server's own count applies. */
const WITHIN_MS = 300;

const NOW = `extract(epoch FROM clock_timestamp()) * 1000`;

// Two requests at once may both pass: each is charged, so the next one waits for both. Rows are locked in the order of
// their keys, which prevents deadlocks.
const TAKE = named(
  'take',
  `
    WITH clock AS (SELECT ${NOW} AS now),
      once AS (SELECT clear_at > now AS is_known FROM ${ACCOUNTS}, clock WHERE key = $4),
      asked AS (
        SELECT key, cost, span FROM unnest($1::text[], $2::float8[], $3::float8[], $6::text[])
          AS use (key, cost, span, at) WHERE at = CASE WHEN (SELECT is_known FROM once) THEN 'again' ELSE 'first' END
          OR at = 'always'
      ),
      wait AS (
        SELECT coalesce(max(greatest(coalesce(held.clear_at, now), now) + cost - now - span), 0) AS ms
        FROM asked CROSS JOIN clock LEFT JOIN ${ACCOUNTS} AS held USING (key)
      ),
      charged AS (
        INSERT INTO ${ACCOUNTS} AS held (key, clear_at)
        SELECT key, clear_at FROM (
          SELECT key, now + cost AS clear_at FROM asked, clock
          UNION ALL SELECT $4, now + $5::float8 FROM clock WHERE $4::text IS NOT NULL AND NOT EXISTS (SELECT FROM once WHERE is_known)
        ) AS use WHERE (SELECT ms FROM wait) <= 0 ORDER BY key
        ON CONFLICT (key) DO UPDATE SET clear_at = CASE WHEN held.key = $4 THEN excluded.clear_at
          ELSE greatest(held.clear_at, (SELECT now FROM clock)) + excluded.clear_at - (SELECT now FROM clock) END
      )
    SELECT greatest(ms, 0) AS ms FROM wait`,
);

const REFUND = named('refund', `UPDATE ${ACCOUNTS} SET clear_at = clear_at - $2 WHERE key = $1`);

/** Removes accounts that have their full limit again. */
export const CLEAR_ACCOUNTS = named('clear accounts', `DELETE FROM ${ACCOUNTS} WHERE clear_at < ${NOW}`);

/**
 * Rate limits in the database.
 * @param key For the HMAC of each name, so that the table holds no visitor's address.
 */
export function createSharedAccounts(ask: Ask, key: KeyObject): SharedAccounts {
  const nameOf = (name: string) => createHmac('sha256', key).update(name).digest('base64url').slice(0, 22);

  return {
    async take({ accounts, once }: Use) {
      const uses = [
        ...accounts.map((account) => ({ ...account, at: 'always' })),
        ...(once
          ? [
              { ...once.first, at: 'first' },
              { ...once.again, at: 'again' },
            ]
          : []),
      ];
      const rows = await ask<{ ms: number }>(WITHIN_MS, TAKE, [
        uses.map((use) => nameOf(use.key)),
        uses.map(({ costMs }) => costMs),
        uses.map(({ windowMs }) => windowMs),
        once && nameOf(once.key),
        once?.forMs ?? 0,
        uses.map(({ at }) => at),
      ]);
      return rows?.[0]?.ms ?? 0;
    },
    async refund({ key: name, costMs }: Account) {
      await ask(WITHIN_MS, REFUND, [nameOf(name), costMs]);
    },
  };
}
