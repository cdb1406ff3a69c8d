import { createHash, randomUUID } from 'node:crypto';
import { ANYTHING, type Change } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import { createNewestFirst } from '@pillion/lib/newest-first.ts';
import { deriveKey } from '@pillion/lib/secret-key.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { createConnections } from '@pillion/sign-ups/database/connections.ts';
import type { ClientBase } from 'pg';
import { createAcknowledgements } from './acknowledgements.ts';
import { ASK_WITHIN_MS, createAsk } from './asking.ts';
import { ChangeLog, KEPT_S, SHOWN, TOLD } from './change-log.ts';
import type { Instances, Servers } from './instances.ts';
import { FORGOTTEN_AFTER_S, OTHERS, type Other } from './list.ts';
import { createNotices } from './notices.ts';
import { createNotifications } from './notifications.ts';
import { CHANGES, INSTANCES, MESSAGES, named, SERVERS } from './schema.ts';
import { CLEAR_ACCOUNTS, createSharedAccounts } from './shared-accounts.ts';
import { watchStalls } from './stalls.ts';

/** Interval of the heartbeat, in milliseconds. */
const BEAT_MS = 2_000;
/** Time for the other servers to confirm a change that this server shows already, in milliseconds. */
const OTHERS_WITHIN_MS = 2_000;
/**
 * Other servers may not have waited for a server that stalled for longer, in milliseconds. Shorter than their wait, by
 * more than one tick of the check.
 */
const STALLED_MS = OTHERS_WITHIN_MS - 500;
/** Timeout of the database at the start of a server, in milliseconds. */
const BEGIN_WITHIN_MS = 2_000;
/** Timeout of the database at the end of a server, in milliseconds. */
const LEAVE_WITHIN_MS = 1_000;

/** Ids of messages are stored while a replay could pass the check of its time: twice the tolerance. In seconds. */
const IDS_KEPT_S = 600;
/** Interval of the removal of old rows, in milliseconds. */
const CLEAR_EACH_MS = 60_000;

/** Connections of one server, in addition to the one that listens. */
const MOST_CONNECTIONS = 3;

const BEAT = named(
  'beat',
  `INSERT INTO ${INSTANCES} (id, name, seen_at) VALUES ($1, $2, clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
);
/** Removes earlier servers of this name (machine and port), which have ended. */
const REPLACE = named('replace', `DELETE FROM ${INSTANCES} WHERE name = $2 AND id <> $1`);
const LEAVE = named('leave', `DELETE FROM ${INSTANCES} WHERE id = $1`);
const SEE = named('see', `INSERT INTO ${MESSAGES} (digest) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1`);
const CLEAR = [
  named('clear changes', `DELETE FROM ${CHANGES} WHERE told_at < now() - interval '${KEPT_S} s'`),
  named('clear messages', `DELETE FROM ${MESSAGES} WHERE seen_at < now() - interval '${IDS_KEPT_S} s'`),
  named('clear instances', `DELETE FROM ${INSTANCES} WHERE seen_at < now() - interval '${FORGOTTEN_AFTER_S} s'`),
  CLEAR_ACCOUNTS,
];

interface Options {
  url: string;
  /** Name for operators and editors. */
  name: string;
  /** Shared by all servers. */
  secretKey: string;
  content: Pick<Content, 'refresh' | 'missed' | 'onPublished'>;
  log: Log;
}

/** The servers that share a database (decision 040). While the database does not answer, each works alone. */
export function createSharedInstances({ url, name, secretKey, content, log }: Options): Instances {
  const id = randomUUID();
  const connections = createConnections({ url, schema: SERVERS, most: MOST_CONNECTIONS, name: 'pillion-servers' });
  const ask = createAsk(connections, () => notifications.isUp);
  const acknowledgements = createAcknowledgements();
  const notices = createNotices(secretKey);
  const changes = new ChangeLog({ id, connections, ask, notices, acknowledgements, content, log });
  const warn = sparsely(log, () => '');
  /** Limits the reads to one query at a time, since recorded notices can be sent again in a flood. */
  const hearing = createNewestFirst();
  let refused = 0;
  let others: Other[] = [];
  let isJoined = false;
  let isReplacing = true;
  /** Last time that this server read from the database, by a monotonic clock. */
  let heardAt: number | null = null;
  let clearedAt = Number.NEGATIVE_INFINITY;
  let onBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });

  const notifications = createNotifications({
    ...{ url, schema: SERVERS, channels: [TOLD, SHOWN], beatMs: BEAT_MS, beat, onUp: catchUp },
    onNotice(channel, payload) {
      const [change = '', by = '', what] = notices.read(channel, payload) ?? refuse(channel);
      if (channel === SHOWN) acknowledgements.note(change, by, what === 'live');
      else if (by !== id && change && !changes.isApplied(change)) void hearing.run(TOLD, () => changes.hear());
    },
    onTrouble: (reason) =>
      reason === null
        ? log('info', 'instances joined')
        : log('warn', 'instances apart: this server goes on alone until DATABASE_URL can be used', { reason }),
  });

  async function beat(client: ClientBase): Promise<void> {
    if (isJoined) await client.query({ ...BEAT, values: [id, name] });
    if (isJoined && isReplacing) await client.query({ ...REPLACE, values: [id, name] });
    isReplacing &&= !isJoined;
    others = (await client.query<Other>({ ...OTHERS, values: [id] })).rows;
    heardAt = performance.now();
    await changes.synchronise(client);
    if (heardAt - clearedAt < CLEAR_EACH_MS) return;
    for (const statement of CLEAR) await client.query(statement);
    clearedAt = heardAt;
  }

  function refuse(channel: string): [] {
    refused += 1;
    warn('warn', 'notice refused: it was not signed with the SECRET_KEY of this server', { channel });
    return [];
  }

  /** Applies the changes since the last connection. */
  async function catchUp(client: ClientBase): Promise<void> {
    const isKnown = heardAt !== null && performance.now() - heardAt < (KEPT_S * 1000) / 2;
    // Changes that are older than the stored ones are not known.
    if (!isKnown) content.missed(ANYTHING, Date.now() - KEPT_S * 1000);
    const count = await changes.catchUp(client);
    if (count > 0) log('info', 'changes caught up with', { count });
    onBegun();
  }

  /** The servers that have to show a change; the last known ones if the database does not answer. */
  async function audience(): Promise<Other[]> {
    others = (await ask<Other>(ASK_WITHIN_MS, OTHERS, [id])) ?? others;
    return others;
  }

  async function tell(change: Change): Promise<{ isRead: boolean; servers: Servers }> {
    const announced = changes.announce(change).then(async (number) => ({ number, all: await audience() }));
    const [isRead, { number, all }] = await Promise.all([content.refresh(change), announced]);
    const waitedFor = number === null ? [] : all.filter(({ isHere }) => isHere).map((other) => other.id);
    const shown =
      number === null || !isRead ? new Set<string>() : await acknowledgements.of(number, waitedFor, OTHERS_WITHIN_MS);
    const late = all.filter((other) => !shown.has(other.id)).map((other) => other.name);
    return { isRead, servers: { live: (isRead ? 1 : 0) + all.length - late.length, of: 1 + all.length, late } };
  }

  const stalls = watchStalls({
    longestMs: STALLED_MS,
    onStall() {
      log('warn', 'this server stood still: what it kept is asked for again');
      content.missed(ANYTHING, Date.now());
    },
  });
  // Scheduled content that became public: this server has fetched it again already.
  content.onPublished(() => void changes.announce(ANYTHING));

  return {
    async begin() {
      notifications.start();
      await valueWithin(BEGIN_WITHIN_MS, begun);
    },
    join() {
      isJoined = true;
      notifications.beatNow();
    },
    tell,
    async isNew(message) {
      const digest = createHash('sha256').update(message).digest('base64url');
      const rows = await ask(ASK_WITHIN_MS, SEE, [digest]);
      return rows === null || rows.length > 0;
    },
    onRequest: stalls.check,
    accounts: createSharedAccounts(ask, deriveKey(secretKey, 'names of accounts')),
    figures: () => ({
      isJoined: notifications.isUp,
      known: 1 + others.length,
      silent: others.filter(({ isHere }) => !isHere).length,
      refused,
    }),
    async leave() {
      stalls.stop();
      const left = isJoined ? ask(LEAVE_WITHIN_MS, LEAVE, [id]) : null;
      isJoined = false;
      await left;
      await notifications.close();
      await valueWithin(LEAVE_WITHIN_MS, connections.close());
    },
  };
}
