import { ANYTHING, type Change, changeFrom } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import type { Log } from '@pillion/lib/log.ts';
import { type Connections, isAboutValues, named } from '@pillion/sign-ups/database/connections.ts';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import type { Acknowledgements } from './acknowledgements.ts';
import type { Notices } from './notices.ts';
import { CHANGES } from './schema.ts';
import { QUERY_TIMEOUT_MS, type TimedQuery } from './timed-query.ts';

/** Changes are stored for this time, for servers without a connection. In seconds. */
export const CHANGES_RETENTION_S = 3_600;
/** With every heartbeat a server reads the changes of this period whose notice it did not get. In seconds. */
const LOOK_BACK_S = 30;
/** A server that has missed more changes than this reads everything again. */
const MAX_MISSED = 100;
/** Up to this age of a change, an editor may still wait for its receipt. In milliseconds. */
const RECEIPT_WAIT_MS = 10_000;
/** Maximum number of changes that wait for the database. If there are more, one change of everything replaces them. */
const MAX_UNSTORED = 20;

/** Channels of the database's notifications. */
export const CHANGED_CHANNEL = 'pillion_told';
export const SHOWN_CHANNEL = 'pillion_shown';

// A payload has at most 8000 bytes and a change may have more, so servers read the row by its number. The number is
// text here, since a `bigint` may be larger than JavaScript's safe integers.
const INSERT_CHANGE = named('tell', `INSERT INTO ${CHANGES} (change, told_by) VALUES ($1, $2) RETURNING id::text`);
const NOTIFY = named('notify', 'SELECT pg_notify($1, $2)');
// A row with a time in the future would make all reads until then stale, so ages are at least 0.
const SELECT_MISSED = named(
  'missed',
  `SELECT id::text, change, greatest(0, extract(epoch FROM clock_timestamp() - told_at) * 1000)::float8 AS age
   FROM ${CHANGES}
   WHERE told_at > clock_timestamp() - make_interval(secs => $3) AND id <> ALL($1::bigint[]) AND told_by <> $2
   ORDER BY ${CHANGES}.id DESC LIMIT ${MAX_MISSED + 1}`,
);
interface MissedChange {
  id: string;
  change: unknown;
  /** Age of the row in milliseconds. */
  age: number;
}

interface ChangeLogOptions {
  /** Id of this server. */
  id: string;
  connections: Pick<Connections, 'query'>;
  timedQuery: TimedQuery;
  notices: Notices;
  acknowledgements: Pick<Acknowledgements, 'expect'>;
  content: Pick<Content, 'refresh' | 'missed'>;
  log: Log;
}

/** Changes of content, which every server stores in the database for the others. */
export class ChangeLog {
  private readonly options: ChangeLogOptions;
  /** Ids of changes that this server has applied. */
  private readonly applied = new LRUCache<string, true>({ max: 10 * MAX_MISSED, ttl: CHANGES_RETENTION_S * 1000 });
  /** Changes that wait for the database. */
  private readonly unstored: Change[] = [];

  constructor(options: ChangeLogOptions) {
    this.options = options;
  }

  isApplied(changeId: string): boolean {
    return this.applied.has(changeId);
  }

  /** Applies all stored changes. @returns Number of changes. */
  async catchUp(client: ClientBase): Promise<number> {
    return this.applyChanges(await this.selectMissed(client, CHANGES_RETENTION_S));
  }

  /** Stores the changes that wait for the database, and applies those whose notice was lost or unsigned. */
  async synchronise(client: ClientBase): Promise<void> {
    const { id, notices } = this.options;
    for (let next = this.unstored.shift(); next; next = this.unstored.shift()) {
      try {
        const [row] = (await client.query<{ id: string }>({ ...INSERT_CHANGE, values: [next, id] })).rows;
        if (row)
          await client.query({ ...NOTIFY, values: [CHANGED_CHANNEL, notices.write(CHANGED_CHANNEL, row.id, id)] });
      } catch (error) {
        this.unstored.unshift(isAboutValues(error) ? ANYTHING : next);
        throw error;
      }
    }
    this.applyChanges(await this.selectMissed(client, LOOK_BACK_S));
  }

  /** Reads and applies the changes of other servers. If the database does not answer, the next heartbeat does so. */
  async applyMissed(): Promise<void> {
    const { connections, id } = this.options;
    const values = [[...this.applied.keys()], id, LOOK_BACK_S];
    this.applyChanges(await connections.query<MissedChange>(SELECT_MISSED, values).catch(() => []));
  }

  /** Notifies the other servers of a change. @returns Its number; `null` if the database does not take it now. */
  async announce(change: Change): Promise<string | null> {
    const { timedQuery, id, notices, acknowledgements } = this.options;
    const [row] = (await timedQuery<{ id: string }>(QUERY_TIMEOUT_MS, INSERT_CHANGE, [change, id])) ?? [];
    if (row) {
      acknowledgements.expect(row.id);
      // If this fails, the others find the row with their next heartbeat.
      await timedQuery(QUERY_TIMEOUT_MS, NOTIFY, [CHANGED_CHANNEL, notices.write(CHANGED_CHANNEL, row.id, id)]);
      return row.id;
    }
    if (this.unstored.length >= MAX_UNSTORED) this.unstored.splice(0, this.unstored.length, ANYTHING);
    else this.unstored.push(change);
    return null;
  }

  /** Changes of other servers that this server has not applied. */
  private async selectMissed(client: ClientBase, seconds: number): Promise<MissedChange[]> {
    const values = [[...this.applied.keys()], this.options.id, seconds];
    return (await client.query<MissedChange>({ ...SELECT_MISSED, values })).rows;
  }

  /** Applies changes. Reads those at once for which an editor may wait. @returns Number of changes. */
  private applyChanges(changes: MissedChange[]): number {
    const { content } = this.options;
    if (changes.length > MAX_MISSED) content.missed(ANYTHING, Date.now());
    for (const { id: changeId, change: stored, age } of changes) {
      if (this.applied.has(changeId)) continue;
      this.applied.set(changeId, true);
      // An unreadable change may be of any content.
      const change = changeFrom(stored) ?? ANYTHING;
      if (age < RECEIPT_WAIT_MS) void this.refreshAndConfirm(changeId, change);
      else content.missed(change, Date.now() - age);
    }
    return changes.length;
  }

  /** Reads a change from WordPress and notifies the other servers. */
  private async refreshAndConfirm(changeId: string, change: Change): Promise<void> {
    const { content, log, notices, connections, id } = this.options;
    const isRead = await content.refresh(change);
    log('info', 'change received', { type: change.type, id: change.id, isRead });
    const notice = notices.write(SHOWN_CHANNEL, changeId, id, isRead ? 'live' : 'unread');
    await connections.query(NOTIFY, [SHOWN_CHANNEL, notice]).catch(() => {});
  }
}
