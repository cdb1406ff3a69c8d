import { createHash, randomUUID } from 'node:crypto';
import { ANYTHING, type Change, changeFrom } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import { createNewestFirst } from '@pillion/lib/newest-first.ts';
import { deriveKey } from '@pillion/lib/secret-key.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { createConnections, isAboutValues } from '@pillion/sign-ups/database/connections.ts';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import { createAcknowledgements } from './acknowledgements.ts';
import { createAsk } from './asking.ts';
import type { Instances, Servers } from './instances.ts';
import { FORGOTTEN_AFTER_S, OTHERS, type Other } from './list.ts';
import { createNotices } from './notices.ts';
import { createNotifications } from './notifications.ts';
import { CHANGES, INSTANCES, MESSAGES, SERVERS } from './schema.ts';
import { CLEAR_ACCOUNTS, createSharedAccounts } from './shared-accounts.ts';
import { watchStalls } from './stalls.ts';

/** Each server says so often that it lives, in milliseconds. */
const BEAT_MS = 2_000;
/** So long the others have, once this server shows a change, to say that they do, in milliseconds. */
const OTHERS_WITHIN_MS = 2_000;
/** Who stands still for longer may not have been waited for, in milliseconds. Shorter than that by more than a tick. */
const STALLED_MS = OTHERS_WITHIN_MS - 500;
/** An editor waits no longer for the database to take a change, and WordPress for a message's id, in milliseconds. */
const ASK_WITHIN_MS = 1_000;
/** The start of a server waits no longer for the database, in milliseconds. */
const BEGIN_WITHIN_MS = 2_000;
/** A server that ends waits no longer to say so, in milliseconds. */
const LEAVE_WITHIN_MS = 1_000;

/** Changes are kept for so long, for those who are away. In seconds. */
const KEPT_S = 3_600;
/** With every beat a server looks for changes of this period whose notice it did not get. In seconds. */
const LOOKED_BACK_S = 30;
/** A server that has missed more changes than this reads everything again. */
const MOST_MISSED = 100;
/** Somebody may still be waiting to hear that a change so young is live, in milliseconds. */
const AWAITED_MS = 10_000;
/** Changes that could not be told are told later, so many of them; of more it is said that anything may have changed. */
const MOST_UNTOLD = 20;

/** Ids of messages are remembered for as long as they could come again: twice the tolerance of their time. In seconds. */
const IDS_KEPT_S = 600;
/** How often what is over is cleared away, in milliseconds. */
const CLEAR_EACH_MS = 60_000;

/** Connections of one server for this, beside the one that listens. */
const MOST_CONNECTIONS = 3;

const TOLD = 'pillion_told';
const SHOWN = 'pillion_shown';

const named = (name: string, text: string) => ({ name: `pillion ${name}`, text });

const BEAT = named(
  'beat',
  `INSERT INTO ${INSTANCES} (id, name, seen_at) VALUES ($1, $2, clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
);
/** The same machine and port: what listened there before has ended. */
const REPLACE = named('replace', `DELETE FROM ${INSTANCES} WHERE name = $2 AND id <> $1`);
const LEAVE = named('leave', `DELETE FROM ${INSTANCES} WHERE id = $1`);
// A payload has 8000 bytes at most, and a change may have more: the row is read by its number. Numbers are text here:
// PostgreSQL's may be larger than JavaScript's.
const TELL = named('tell', `INSERT INTO ${CHANGES} (change, told_by) VALUES ($1, $2) RETURNING id::text`);
const NOTIFY = named('notify', 'SELECT pg_notify($1, $2)');
// A row dated ahead would make stale all that is read until that time.
const MISSED = named(
  'missed',
  `SELECT id::text, change, greatest(0, extract(epoch FROM clock_timestamp() - told_at) * 1000)::float8 AS age
   FROM ${CHANGES}
   WHERE told_at > clock_timestamp() - make_interval(secs => $3) AND id <> ALL($1::bigint[]) AND told_by <> $2
   ORDER BY ${CHANGES}.id DESC LIMIT ${MOST_MISSED + 1}`,
);
const SEE = named('see', `INSERT INTO ${MESSAGES} (digest) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1`);
const CLEAR = [
  named('clear changes', `DELETE FROM ${CHANGES} WHERE told_at < now() - interval '${KEPT_S} s'`),
  named('clear messages', `DELETE FROM ${MESSAGES} WHERE seen_at < now() - interval '${IDS_KEPT_S} s'`),
  named('clear instances', `DELETE FROM ${INSTANCES} WHERE seen_at < now() - interval '${FORGOTTEN_AFTER_S} s'`),
  CLEAR_ACCOUNTS,
];

interface Missed {
  id: string;
  change: unknown;
  /** Age of the row in milliseconds. */
  age: number;
}

interface Options {
  url: string;
  /** What operators and editors know this server by. */
  name: string;
  /** The one that all servers share. */
  secretKey: string;
  content: Pick<Content, 'refresh' | 'missed' | 'onPublished'>;
  log: Log;
}

/**
 * The servers that share a database (decision 040). While it does not answer each goes on alone.
 */
export function createSharedInstances({ url, name, secretKey, content, log }: Options): Instances {
  const id = randomUUID();
  const connections = createConnections({ url, schema: SERVERS, most: MOST_CONNECTIONS, name: 'pillion-servers' });
  const ask = createAsk(connections, () => notifications.isUp);
  const acknowledgements = createAcknowledgements();
  const notices = createNotices(secretKey);
  const warn = sparsely(log, () => '');
  /** Notices can be recorded and sent again, and a flood of them makes one query at a time. */
  const hearing = createNewestFirst();
  let refused = 0;
  /** Changes that were applied here, so that none is applied twice. */
  const applied = new LRUCache<string, true>({ max: 10 * MOST_MISSED, ttl: KEPT_S * 1000 });
  let others: Other[] = [];
  const untold: Change[] = [];
  let isJoined = false;
  let isReplacing = true;
  /** When this server last heard the others, by a clock that never jumps. */
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
      else if (by !== id && change && !applied.has(change)) void hearing.run(TOLD, hear);
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
    await makeUp(client);
    if (heardAt - clearedAt < CLEAR_EACH_MS) return;
    for (const statement of CLEAR) await client.query(statement);
    clearedAt = heardAt;
  }

  function refuse(channel: string): [] {
    refused += 1;
    warn('warn', 'notice refused: it was not signed with the SECRET_KEY of this server', { channel });
    return [];
  }

  /** Takes up the changes of the time without a connection. */
  async function catchUp(client: ClientBase): Promise<void> {
    const isKnown = heardAt !== null && performance.now() - heardAt < (KEPT_S * 1000) / 2;
    // Of what was told before the oldest that is kept nothing is known.
    if (!isKnown) content.missed(ANYTHING, Date.now() - KEPT_S * 1000);
    const count = takeUp(await missed(client, KEPT_S));
    if (count > 0) log('info', 'changes caught up with', { count });
    onBegun();
  }

  /** Changes that others told and that were not applied here. */
  const missed = async (client: ClientBase, seconds: number): Promise<Missed[]> =>
    (await client.query<Missed>({ ...MISSED, values: [[...applied.keys()], id, seconds] })).rows;

  /** Applies changes. One that an editor may still wait for is read at once. @returns How many there were. */
  function takeUp(changes: Missed[]): number {
    if (changes.length > MOST_MISSED) content.missed(ANYTHING, Date.now());
    for (const { id: number, change: sent, age } of changes) {
      if (applied.has(number)) continue;
      applied.set(number, true);
      // One that cannot be read was of anything.
      const change = changeFrom(sent) ?? ANYTHING;
      if (age < AWAITED_MS) void show(number, change);
      else content.missed(change, Date.now() - age);
    }
    return changes.length;
  }

  /** Stores the changes that the database did not take before, and takes up those whose notice was lost or unsigned. */
  async function makeUp(client: ClientBase): Promise<void> {
    for (let next = untold.shift(); next; next = untold.shift()) {
      try {
        const [row] = (await client.query<{ id: string }>({ ...TELL, values: [next, id] })).rows;
        if (row) await client.query({ ...NOTIFY, values: [TOLD, notices.write(TOLD, row.id, id)] });
      } catch (error) {
        untold.unshift(isAboutValues(error) ? ANYTHING : next);
        throw error;
      }
    }
    takeUp(await missed(client, LOOKED_BACK_S));
  }

  /** Reads the changes of other servers. If the database does not answer, the next beat reads them. */
  async function hear(): Promise<void> {
    const values = [[...applied.keys()], id, LOOKED_BACK_S];
    takeUp(await connections.query<Missed>(MISSED, values).catch(() => []));
  }

  /** Reads a change from WordPress and says so. */
  async function show(number: string, change: Change): Promise<void> {
    const isRead = await content.refresh(change);
    const { type, id: of } = change;
    log('info', 'change heard', { type, id: of, isRead });
    const notice = notices.write(SHOWN, number, id, isRead ? 'live' : 'unread');
    await connections.query(NOTIFY, [SHOWN, notice]).catch(() => {});
  }

  /** Has the others read a change. @returns Its number; `null` where they cannot be told now. */
  async function announce(change: Change): Promise<string | null> {
    const [row] = (await ask<{ id: string }>(ASK_WITHIN_MS, TELL, [change, id])) ?? [];
    if (row) {
      acknowledgements.expect(row.id);
      // Where this fails the others find the row with their next beat.
      await ask(ASK_WITHIN_MS, NOTIFY, [TOLD, notices.write(TOLD, row.id, id)]);
      return row.id;
    }
    if (untold.length >= MOST_UNTOLD) untold.splice(0, untold.length, ANYTHING);
    else untold.push(change);
    return null;
  }

  /** Those that are to show a change, as they are now or, where the database does not answer, as they were last. */
  async function audience(): Promise<Other[]> {
    others = (await ask<Other>(ASK_WITHIN_MS, OTHERS, [id])) ?? others;
    return others;
  }

  async function tell(change: Change): Promise<{ isRead: boolean; servers: Servers }> {
    const announced = announce(change).then(async (number) => ({ number, all: await audience() }));
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
  // What this server has read anew already.
  content.onPublished(() => void announce(ANYTHING));

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
