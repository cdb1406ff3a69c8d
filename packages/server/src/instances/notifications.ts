import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sentenceOf } from '@pillion/sign-ups/database/connections.ts';
import { ensureSchema, type Schema } from '@pillion/sign-ups/database/schema.ts';
import { Client, type ClientBase, type ClientConfig } from 'pg';

/** Timeout of a connection and of a statement, in milliseconds. */
const WITHIN_MS = 3_000;
/** Pause before reconnecting, in milliseconds. */
const AGAIN_MS = 1_000;

interface Options {
  url: string;
  schema: Schema;
  channels: readonly string[];
  onNotice: (channel: string, payload: string) => void;
  /** Called on each new connection once it listens, so that no later notification is missed. */
  onUp: (client: ClientBase) => Promise<void>;
  /** Called every `beatMs`. If it rejects, the connection is closed and opened again. */
  beat: (client: ClientBase) => Promise<void>;
  beatMs: number;
  /** Called once per outage with the reason, and with `null` when the database is available again. */
  onTrouble: (reason: string | null) => void;
}

/** One connection that listens for notifications of the database (`LISTEN`). It reconnects when it is lost. */
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
   * Waits until the next beat is due or `wake` is called. Not a race with a promise that lasts as long as the connection:
   * that would leak one reaction for each beat.
   */
  async function untilBeat(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const due = setTimeout(resolve, beatMs);
    await promise;
    clearTimeout(due);
  }

  /** Listens until the connection is lost. @throws The reason. */
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
        // A database that hangs never ends the connection.
        socket.destroy();
      }
      await pause(AGAIN_MS, null, { signal }).catch(() => {});
    }
  }

  return {
    /** Whether the connection listens. */
    get isUp() {
      return isUp;
    },
    start(): void {
      running ??= run();
    },
    /** Beats now instead of at the next interval. */
    beatNow: () => wake(),
    async close(): Promise<void> {
      closed.abort();
      wake();
      await running;
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
