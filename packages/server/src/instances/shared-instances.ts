import { hash, randomUUID } from 'node:crypto';
import { ANYTHING, type Change } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import { deriveKey } from '@pillion/lib/secret-key.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { type Connections, createConnections, named } from '@pillion/sign-ups/database/connections.ts';
import type { SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import type { ClientBase } from 'pg';
import type { InstanceFigures } from '../metrics/instances.ts';
import { createNewestFirst } from '../newest-first.ts';
import { createAcknowledgements } from './acknowledgements.ts';
import { ASK_WITHIN_MS, type Ask, createAsk } from './asking.ts';
import { ChangeLog, KEPT_S, SHOWN, TOLD } from './change-log.ts';
import type { Announced, Instances } from './instances.ts';
import { FORGOTTEN_AFTER_S, OTHERS, type Other } from './list.ts';
import { createNotices, type Notices } from './notices.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { CHANGES, INSTANCES, MESSAGES, SERVERS } from './schema.ts';
import { CLEAR_ACCOUNTS, createSharedAccounts } from './shared-accounts.ts';
import { type Stalls, watchStalls } from './stalls.ts';

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
export class SharedInstances implements Instances {
  private readonly options: Options;
  private readonly id = randomUUID();
  private readonly connections: Connections;
  private readonly notifications: Notifications;
  private readonly notices: Notices;
  private readonly acknowledgements = createAcknowledgements();
  private readonly changes: ChangeLog;
  private readonly ask: Ask;
  private readonly stalls: Stalls;
  /** Limits the reads to one query at a time, since recorded notices can be sent again in a flood. */
  private readonly hearing = createNewestFirst();
  private readonly warn: Log;
  readonly accounts: SharedAccounts;

  /** Notices with a wrong signature. */
  private refused = 0;
  private others: Other[] = [];
  private isJoined = false;
  private isReplacing = true;
  /** Last time that this server read from the database, by a monotonic clock. */
  private heardAt: number | null = null;
  private clearedAt = Number.NEGATIVE_INFINITY;
  private readonly begun = Promise.withResolvers<void>();

  constructor(options: Options) {
    const { url, secretKey, content, log } = options;
    this.options = options;
    this.warn = sparsely(log, () => '');
    this.notices = createNotices(secretKey);
    this.connections = createConnections({ url, schema: SERVERS, most: MOST_CONNECTIONS, name: 'pillion-servers' });
    this.ask = createAsk(this.connections, () => this.notifications.isUp);
    this.accounts = createSharedAccounts(this.ask, deriveKey(secretKey, 'names of accounts'));
    const { id, connections, ask, notices, acknowledgements } = this;
    this.changes = new ChangeLog({ id, connections, ask, notices, acknowledgements, content, log });
    this.notifications = createNotifications({
      ...{ url, schema: SERVERS, channels: [TOLD, SHOWN], beatMs: BEAT_MS },
      beat: (client) => this.beat(client),
      onUp: (client) => this.catchUp(client),
      onNotice: (channel, payload) => this.onNotice(channel, payload),
      onTrouble: (reason) =>
        reason === null
          ? log('info', 'instances joined')
          : log('warn', 'instances disconnected: this server works alone until DATABASE_URL can be used', { reason }),
    });
    this.stalls = watchStalls({
      longestMs: STALLED_MS,
      onStall() {
        log('warn', 'this server was stopped: its cached content is fetched again');
        content.missed(ANYTHING, Date.now());
      },
    });
    // Scheduled content that became public: this server has fetched it again already.
    content.onPublished(() => void this.changes.announce(ANYTHING));
  }

  async begin(): Promise<void> {
    this.notifications.start();
    await valueWithin(BEGIN_WITHIN_MS, this.begun.promise);
  }

  join(): void {
    this.isJoined = true;
    this.notifications.beatNow();
  }

  async tell(change: Change): Promise<Announced> {
    const announced = this.changes.announce(change).then(async (number) => ({ number, all: await this.audience() }));
    const [isRead, { number, all }] = await Promise.all([this.options.content.refresh(change), announced]);
    const waitedFor = number === null ? [] : all.filter(({ isHere }) => isHere).map((other) => other.id);
    const shown =
      number === null || !isRead
        ? new Set<string>()
        : await this.acknowledgements.of(number, waitedFor, OTHERS_WITHIN_MS);
    const late = all.filter((other) => !shown.has(other.id)).map((other) => other.name);
    return { isRead, servers: { live: (isRead ? 1 : 0) + all.length - late.length, of: 1 + all.length, late } };
  }

  async isNew(message: string): Promise<boolean> {
    const digest = hash('sha256', message, 'base64url');
    const rows = await this.ask(ASK_WITHIN_MS, SEE, [digest]);
    return rows === null || rows.length > 0;
  }

  onRequest(): void {
    this.stalls.check();
  }

  readonly figures = (): InstanceFigures => ({
    isJoined: this.notifications.isUp,
    known: 1 + this.others.length,
    silent: this.others.filter(({ isHere }) => !isHere).length,
    refused: this.refused,
  });

  async leave(): Promise<void> {
    this.stalls.stop();
    const left = this.isJoined ? this.ask(LEAVE_WITHIN_MS, LEAVE, [this.id]) : null;
    this.isJoined = false;
    await left;
    await this.notifications.close();
    await valueWithin(LEAVE_WITHIN_MS, this.connections.close());
  }

  private async beat(client: ClientBase): Promise<void> {
    const values = [this.id, this.options.name];
    if (this.isJoined) await client.query({ ...BEAT, values });
    if (this.isJoined && this.isReplacing) await client.query({ ...REPLACE, values });
    this.isReplacing &&= !this.isJoined;
    this.others = (await client.query<Other>({ ...OTHERS, values: [this.id] })).rows;
    this.heardAt = performance.now();
    await this.changes.synchronise(client);
    if (this.heardAt - this.clearedAt < CLEAR_EACH_MS) return;
    for (const statement of CLEAR) await client.query(statement);
    this.clearedAt = this.heardAt;
  }

  private onNotice(channel: string, payload: string): void {
    const notice = this.notices.read(channel, payload);
    if (!notice) {
      this.refused += 1;
      this.warn('warn', 'notice refused: it was not signed with the SECRET_KEY of this server', { channel });
      return;
    }
    const [change = '', by = '', what] = notice;
    if (channel === SHOWN) this.acknowledgements.note(change, by, what === 'live');
    else if (by !== this.id && change && !this.changes.isApplied(change))
      void this.hearing.run(TOLD, () => this.changes.hear());
  }

  /** Applies the changes since the last connection. */
  private async catchUp(client: ClientBase): Promise<void> {
    const { content, log } = this.options;
    const isKnown = this.heardAt !== null && performance.now() - this.heardAt < (KEPT_S * 1000) / 2;
    // Changes that are older than the stored ones are not known.
    if (!isKnown) content.missed(ANYTHING, Date.now() - KEPT_S * 1000);
    const count = await this.changes.catchUp(client);
    if (count > 0) log('info', 'missed changes applied', { count });
    this.begun.resolve();
  }

  /** The servers that have to show a change; the last known ones if the database does not answer. */
  private async audience(): Promise<Other[]> {
    this.others = (await this.ask<Other>(ASK_WITHIN_MS, OTHERS, [this.id])) ?? this.others;
    return this.others;
  }
}
