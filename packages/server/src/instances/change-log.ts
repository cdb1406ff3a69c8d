import { ANYTHING, type Change, changeFrom } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import type { Log } from '@pillion/lib/log.ts';
import { type Connections, isAboutValues, named } from '@pillion/sign-ups/database/connections.ts';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';
import type { Acknowledgements } from './acknowledgements.ts';
import { ASK_WITHIN_MS, type Ask } from './asking.ts';
import type { Notices } from './notices.ts';
import { CHANGES } from './schema.ts';

/** Changes are stored for this time, for servers without a connection. In seconds. */
export const KEPT_S = 3_600;
/** With every beat a server reads the changes of this period whose notice it did not get. In seconds. */
const LOOKED_BACK_S = 30;
/** A server that has missed more changes than this reads everything again. */
const MOST_MISSED = 100;
/** An editor may still wait for the receipt of a change up to this age, in milliseconds. */
const AWAITED_MS = 10_000;
/** Changes that wait for the database. If there are more, one change of everything replaces them. */
const MOST_UNSTORED = 20;

/** Channels of the database's notifications. */
export const TOLD = 'pillion_told';
export const SHOWN = 'pillion_shown';

// A payload has at most 8000 bytes and a change may have more, so servers read the row by its number. The number is
// text here, since a `bigint` may be larger than JavaScript's safe integers.
const TELL = named('tell', `INSERT INTO ${CHANGES} (change, told_by) VALUES ($1, $2) RETURNING id::text`);
const NOTIFY = named('notify', 'SELECT pg_notify($1, $2)');
// A row with a time in the future would make all reads until then stale, so ages are at least 0.
const MISSED = named(
  'missed',
  `SELECT id::text, change, greatest(0, extract(epoch FROM clock_timestamp() - told_at) * 1000)::float8 AS age
   FROM ${CHANGES}
   WHERE told_at > clock_timestamp() - make_interval(secs => $3) AND id <> ALL($1::bigint[]) AND told_by <> $2
   ORDER BY ${CHANGES}.id DESC LIMIT ${MOST_MISSED + 1}`,
);
interface Missed {
  id: string;
  change: unknown;
  /** Age of the row in milliseconds. */
  age: number;
}

interface ChangeLogOptions {
  /** Id of this server. */
  id: string;
  connections: Pick<Connections, 'query'>;
  ask: Ask;
  notices: Notices;
  acknowledgements: Pick<Acknowledgements, 'expect'>;
  content: Pick<Content, 'refresh' | 'missed'>;
  log: Log;
}

/** Changes of content, which every server stores in the database for the others. */
export class ChangeLog {
  private readonly options: ChangeLogOptions;
  /** Ids of changes that this server has applied. */
  private readonly applied = new LRUCache<string, true>({ max: 10 * MOST_MISSED, ttl: KEPT_S * 1000 });
  /** Changes that wait for the database. */
  private readonly unstored: Change[] = [];

  constructor(options: ChangeLogOptions) {
    this.options = options;
  }

  /** @param number Id of a change. */
  isApplied(number: string): boolean {
    return this.applied.has(number);
  }

  /** Applies all stored changes. @returns Number of changes. */
  async catchUp(client: ClientBase): Promise<number> {
    return this.apply(await this.missed(client, KEPT_S));
  }

  /** Stores the changes that wait for the database, and applies those whose notice was lost or unsigned. */
  async synchronise(client: ClientBase): Promise<void> {
    const { id, notices } = this.options;
    for (let next = this.unstored.shift(); next; next = this.unstored.shift()) {
      try {
        const [row] = (await client.query<{ id: string }>({ ...TELL, values: [next, id] })).rows;
        if (row) await client.query({ ...NOTIFY, values: [TOLD, notices.write(TOLD, row.id, id)] });
      } catch (error) {
        this.unstored.unshift(isAboutValues(error) ? ANYTHING : next);
        throw error;
      }
    }
    this.apply(await this.missed(client, LOOKED_BACK_S));
  }

  /** Reads the changes of other servers. If the database does not answer, the next beat reads them. */
  async hear(): Promise<void> {
    const { connections, id } = this.options;
    const values = [[...this.applied.keys()], id, LOOKED_BACK_S];
    this.apply(await connections.query<Missed>(MISSED, values).catch(() => []));
  }

  /** Notifies the other servers of a change. @returns Its number; `null` if the database does not take it now. */
  async announce(change: Change): Promise<string | null> {
    const { ask, id, notices, acknowledgements } = this.options;
    const [row] = (await ask<{ id: string }>(ASK_WITHIN_MS, TELL, [change, id])) ?? [];
    if (row) {
      acknowledgements.expect(row.id);
      // If this fails, the others find the row with their next beat.
      await ask(ASK_WITHIN_MS, NOTIFY, [TOLD, notices.write(TOLD, row.id, id)]);
      return row.id;
    }
    if (this.unstored.length >= MOST_UNSTORED) this.unstored.splice(0, this.unstored.length, ANYTHING);
    else this.unstored.push(change);
    return null;
  }

  /** Changes of other servers that this server has not applied. */
  private async missed(client: ClientBase, seconds: number): Promise<Missed[]> {
    const values = [[...this.applied.keys()], this.options.id, seconds];
    return (await client.query<Missed>({ ...MISSED, values })).rows;
  }

  /** Applies changes; reads one at once if an editor may wait for it. @returns Number of changes. */
  private apply(changes: Missed[]): number {
    const { content } = this.options;
    if (changes.length > MOST_MISSED) content.missed(ANYTHING, Date.now());
    for (const { id: number, change: sent, age } of changes) {
      if (this.applied.has(number)) continue;
      this.applied.set(number, true);
      // An unreadable change may be of any content.
      const change = changeFrom(sent) ?? ANYTHING;
      if (age < AWAITED_MS) void this.show(number, change);
      else content.missed(change, Date.now() - age);
    }
    return changes.length;
  }

  /** Reads a change from WordPress and notifies the other servers. */
  private async show(number: string, change: Change): Promise<void> {
    const { content, log, notices, connections, id } = this.options;
    const isRead = await content.refresh(change);
    log('info', 'change received', { type: change.type, id: change.id, isRead });
    const notice = notices.write(SHOWN, number, id, isRead ? 'live' : 'unread');
    await connections.query(NOTIFY, [SHOWN, notice]).catch(() => {});
  }
}
