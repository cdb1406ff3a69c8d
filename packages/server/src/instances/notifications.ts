import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sentenceOf } from '@pillion/sign-ups/database/connections.ts';
import { ensureSchema, type Schema } from '@pillion/sign-ups/database/schema.ts';
import { Client, type ClientBase, type ClientConfig } from 'pg';

/** Longest wait for a connection, and for the database's word on a statement, in milliseconds. */
const WITHIN_MS = 3_000;
/** A connection that was lost is made anew after this, in milliseconds. */
const AGAIN_MS = 1_000;

interface Options {
  url: string;
  schema: Schema;
  channels: readonly string[];
  onNotice: (channel: string, payload: string) => void;
  /** Called on each new connection, which listens by then: nothing that comes from now on is missed. */
  onUp: (client: ClientBase) => Promise<void>;
  /** Called now and then. Where it fails the connection is given up. */
  beat: (client: ClientBase) => Promise<void>;
  beatMs: number;
  /** Told why the database cannot be used, once per outage, and `null` when it can be again. */
  onTrouble: (reason: string | null) => void;
}

/** One connection that hears what the database notifies of (`LISTEN`). It is made anew whenever it is lost. */
export function createNotifications({ url, schema, channels, onNotice, onUp, beat, beatMs, onTrouble }: Options) {
  let isUp = false;
  let isInTrouble = false;
  let running: Promise<void> | null = null;
  let wake = () => {};
  const closed = new AbortController();
  const { signal } = closed;

  function tell(reason: string | null): void {
    if (isInTrouble === (reason !== null)) return;
    isInTrouble = reason !== null;
    onTrouble(reason);
  }

  /**
   * Until the next beat is due, or somebody wakes it. A promise of its own: a race with one that lasts as long as the
   * connection would remember every beat there ever was.
   */
  async function untilBeat(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const due = setTimeout(resolve, beatMs);
    await promise;
    clearTimeout(due);
  }

  /** Hears until the connection is lost. @throws Why it was. */
  async function hear(client: Client): Promise<void> {
    const losses: Error[] = [];
    const lose = (error: Error) => {
      losses.push(error);
      wake();
    };
    client.once('error', lose).on('error', () => {});
    client.once('end', () => lose(new Error('the connection has ended')));
    client.on('notification', ({ channel, payload = '' }) => onNotice(channel, payload));
    await client.connect();
    await ensureSchema(client, schema);
    for (const channel of channels) await client.query(`LISTEN ${channel}`);
    await onUp(client);
    isUp = true;
    tell(null);
    while (!signal.aborted) {
      await beat(client);
      if (losses.length === 0 && !signal.aborted) await untilBeat();
      if (losses[0]) throw losses[0];
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const socket = new Socket();
      const config: ClientConfig & { stream: () => Socket } = {
        connectionString: url,
        application_name: 'pillion-servers',
        connectionTimeoutMillis: WITHIN_MS,
        statement_timeout: WITHIN_MS,
        query_timeout: WITHIN_MS,
        keepAlive: true,
        stream: () => socket,
      };
      const client = new Client(config);
      try {
        await hear(client);
      } catch (error) {
        if (!signal.aborted) tell(sentenceOf(error));
      } finally {
        isUp = false;
        // A database that hangs takes no leave.
        socket.destroy();
      }
      await pause(AGAIN_MS, null, { signal }).catch(() => {});
    }
  }

  return {
    /** Whether what is notified of is heard now, as far as is known. */
    get isUp() {
      return isUp;
    },
    start(): void {
      running ??= run();
    },
    /** Beats now and not when it is next due. */
    beatNow: () => wake(),
    async close(): Promise<void> {
      closed.abort();
      wake();
      await running;
    },
  };
}
