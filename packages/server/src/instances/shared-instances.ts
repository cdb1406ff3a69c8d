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
import { CHANGED_CHANNEL, CHANGES_RETENTION_S, ChangeLog, SHOWN_CHANNEL } from './change-log.ts';
import type { AnnounceResult, Instances } from './instances.ts';
import { FORGOTTEN_AFTER_S, type Instance, OTHERS } from './list.ts';
import { createNotices, type Notices } from './notices.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { CHANGES, INSTANCES, MESSAGES, SERVERS } from './schema.ts';
import { CLEAR_ACCOUNTS, createSharedAccounts } from './shared-accounts.ts';
import { type Stalls, watchStalls } from './stalls.ts';
import { createTimedQuery, QUERY_TIMEOUT_MS, type TimedQuery } from './timed-query.ts';

const HEARTBEAT_INTERVAL_MS = 2_000;
/** Time for the other servers to confirm a change that this server shows already, in milliseconds. */
const CONFIRM_TIMEOUT_MS = 2_000;
/**
 * Other servers may not have waited for a server that stalled for longer, in milliseconds. Shorter than their wait, by
 * more than one tick of the check.
 */
const MIN_STALL_MS = CONFIRM_TIMEOUT_MS - 500;
/** Timeout of the database at the start of a server, in milliseconds. */
const BEGIN_TIMEOUT_MS = 2_000;
/** Timeout of the database at the end of a server, in milliseconds. */
const LEAVE_TIMEOUT_MS = 1_000;

/** Ids of messages are stored while a replay could pass the check of its time: twice the tolerance. In seconds. */
const MESSAGE_IDS_RETENTION_S = 600;
const CLEANUP_INTERVAL_MS = 60_000;

/** Connections of one server, in addition to the one that listens. */
const MAX_CONNECTIONS = 3;

const UPSERT_HEARTBEAT = named(
  'beat',
  `INSERT INTO ${INSTANCES} (id, name, seen_at) VALUES ($1, $2, clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
);
/** Removes earlier servers of this name (machine and port), which have ended. */
const DELETE_EARLIER = named('replace', `DELETE FROM ${INSTANCES} WHERE name = $2 AND id <> $1`);
const DELETE_INSTANCE = named('leave', `DELETE FROM ${INSTANCES} WHERE id = $1`);
const INSERT_MESSAGE_ID = named(
  'see',
  `INSERT INTO ${MESSAGES} (digest) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1`,
);
const CLEANUP_STATEMENTS = [
  named('clear changes', `DELETE FROM ${CHANGES} WHERE told_at < now() - interval '${CHANGES_RETENTION_S} s'`),
  named('clear messages', `DELETE FROM ${MESSAGES} WHERE seen_at < now() - interval '${MESSAGE_IDS_RETENTION_S} s'`),
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
  private readonly timedQuery: TimedQuery;
  private readonly stalls: Stalls;
  /** Limits the reads to one query at a time, since recorded notices can be sent again in a flood. */
  private readonly newestRead = createNewestFirst();
  private readonly warn: Log;
  readonly accounts: SharedAccounts;

  /** Notices with a wrong signature. */
  private refusedNotices = 0;
  private others: Instance[] = [];
  private isJoined = false;
  /** Whether earlier servers of this name may still be in the database. */
  private mustReplaceEarlier = true;
  /** Last time that this server read from the database, in milliseconds of a monotonic clock. */
  private lastReadAt: number | null = null;
  private lastCleanupAt = Number.NEGATIVE_INFINITY;
  private readonly caughtUp = Promise.withResolvers<void>();

  constructor(options: Options) {
    const { url, secretKey, content, log } = options;
    this.options = options;
    this.warn = sparsely(log, () => '');
    this.notices = createNotices(secretKey);
    this.connections = createConnections({ url, schema: SERVERS, max: MAX_CONNECTIONS, name: 'pillion-servers' });
    this.timedQuery = createTimedQuery(this.connections, () => this.notifications.isConnected);
    this.accounts = createSharedAccounts(this.timedQuery, deriveKey(secretKey, 'names of accounts'));
    const { id, connections, timedQuery, notices, acknowledgements } = this;
    this.changes = new ChangeLog({ id, connections, timedQuery, notices, acknowledgements, content, log });
    this.notifications = createNotifications({
      ...{ url, schema: SERVERS, channels: [CHANGED_CHANNEL, SHOWN_CHANNEL], heartbeatMs: HEARTBEAT_INTERVAL_MS },
      sendHeartbeat: (client) => this.sendHeartbeat(client),
      onConnected: (client) => this.catchUp(client),
      onNotice: (channel, payload) => this.onNotice(channel, payload),
      onOutage: (reason) =>
        reason === null
          ? log('info', 'instances joined')
          : log('warn', 'instances disconnected: this server works alone until DATABASE_URL can be used', { reason }),
    });
    this.stalls = watchStalls({
      minStallMs: MIN_STALL_MS,
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
    await valueWithin(BEGIN_TIMEOUT_MS, this.caughtUp.promise);
  }

  join(): void {
    this.isJoined = true;
    this.notifications.heartbeatNow();
  }

  async announce(change: Change): Promise<AnnounceResult> {
    const announcing = this.changes
      .announce(change)
      .then(async (number) => ({ number, others: await this.otherInstances() }));
    const [isRead, { number, others }] = await Promise.all([this.options.content.refresh(change), announcing]);
    const awaited = others.filter(({ isAlive }) => isAlive).map((other) => other.id);
    // `null`: the database did not store the change, so the other servers do not know it.
    const confirmed =
      number === null || !isRead
        ? new Set<string>()
        : await this.acknowledgements.waitFor(number, awaited, CONFIRM_TIMEOUT_MS);
    const late = others.filter((other) => !confirmed.has(other.id)).map((other) => other.name);
    return { isRead, servers: { live: (isRead ? 1 : 0) + others.length - late.length, of: 1 + others.length, late } };
  }

  async isNew(message: string): Promise<boolean> {
    const digest = hash('sha256', message, 'base64url');
    const rows = await this.timedQuery(QUERY_TIMEOUT_MS, INSERT_MESSAGE_ID, [digest]);
    return rows === null || rows.length > 0;
  }

  onRequest(): void {
    this.stalls.check();
  }

  readonly figures = (): InstanceFigures => ({
    isJoined: this.notifications.isConnected,
    known: 1 + this.others.length,
    silent: this.others.filter(({ isAlive }) => !isAlive).length,
    refused: this.refusedNotices,
  });

  async leave(): Promise<void> {
    this.stalls.stop();
    const leaving = this.isJoined ? this.timedQuery(LEAVE_TIMEOUT_MS, DELETE_INSTANCE, [this.id]) : null;
    this.isJoined = false;
    await leaving;
    await this.notifications.close();
    await valueWithin(LEAVE_TIMEOUT_MS, this.connections.close());
  }

  private async sendHeartbeat(client: ClientBase): Promise<void> {
    const values = [this.id, this.options.name];
    if (this.isJoined) await client.query({ ...UPSERT_HEARTBEAT, values });
    if (this.isJoined && this.mustReplaceEarlier) {
      await client.query({ ...DELETE_EARLIER, values });
      this.mustReplaceEarlier = false;
    }
    this.others = (await client.query<Instance>({ ...OTHERS, values: [this.id] })).rows;
    this.lastReadAt = performance.now();
    await this.changes.synchronise(client);
    if (this.lastReadAt - this.lastCleanupAt < CLEANUP_INTERVAL_MS) return;
    for (const statement of CLEANUP_STATEMENTS) await client.query(statement);
    this.lastCleanupAt = this.lastReadAt;
  }

  private onNotice(channel: string, payload: string): void {
    const notice = this.notices.read(channel, payload);
    if (!notice) {
      this.refusedNotices += 1;
      this.warn('warn', 'notice refused: it was not signed with the SECRET_KEY of this server', { channel });
      return;
    }
    const { change, server, isLive } = notice;
    if (channel === SHOWN_CHANNEL) this.acknowledgements.record(change, server, isLive);
    else if (server !== this.id && !this.changes.isApplied(change))
      void this.newestRead.run(CHANGED_CHANNEL, () => this.changes.applyMissed());
  }

  /** Applies the changes since the last connection. */
  private async catchUp(client: ClientBase): Promise<void> {
    const { content, log } = this.options;
    const wasConnectedRecently =
      this.lastReadAt !== null && performance.now() - this.lastReadAt < (CHANGES_RETENTION_S * 1000) / 2;
    // Changes that are older than the stored ones are not known.
    if (!wasConnectedRecently) content.missed(ANYTHING, Date.now() - CHANGES_RETENTION_S * 1000);
    const count = await this.changes.catchUp(client);
    if (count > 0) log('info', 'missed changes applied', { count });
    this.caughtUp.resolve();
  }

  /** The servers that have to show a change; the last known ones if the database does not answer. */
  private async otherInstances(): Promise<Instance[]> {
    this.others = (await this.timedQuery<Instance>(QUERY_TIMEOUT_MS, OTHERS, [this.id])) ?? this.others;
    return this.others;
  }
}
