import type { Schema } from '@pillion/sign-ups/database/schema.ts';

export const INSTANCES = 'pillion_instances';
export const CHANGES = 'pillion_changes';
export const MESSAGES = 'pillion_messages';
export const ACCOUNTS = 'pillion_accounts';

/** Tables that the servers share. A schema separate from the sign-ups', so that each has its own version. */
export const SERVERS: Schema = {
  table: INSTANCES,
  comment: 'Servers of a Pillion site, version ',
  version: 1,
  lock: 5_071_954_002,
  migrations: {
    // A crash of the database empties an unlogged table. Every network then has its full limit again.
    1: `
      CREATE TABLE IF NOT EXISTS ${INSTANCES} (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        seen_at timestamptz NOT NULL
      );
      CREATE TABLE IF NOT EXISTS ${CHANGES} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        change jsonb NOT NULL,
        told_by uuid NOT NULL,
        told_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX IF NOT EXISTS ${CHANGES}_told ON ${CHANGES} (told_at);
      CREATE TABLE IF NOT EXISTS ${MESSAGES} (
        digest text PRIMARY KEY,
        seen_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNLOGGED TABLE IF NOT EXISTS ${ACCOUNTS} (
        key text PRIMARY KEY,
        clear_at double precision NOT NULL
      );
    `,
  },
};
