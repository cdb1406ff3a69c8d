import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '@pillion/sign-ups/database/connections.ts';
import { ensureSchema, type Schema } from '@pillion/sign-ups/database/schema.ts';
import { Client, type ClientBase, type ClientConfig } from 'pg';

/** Of the connection attempt, and of each statement. */
const TIMEOUT_MS = 3_000;
/** Pause before a new connection, in milliseconds. */
const RECONNECT_PAUSE_MS = 1_000;

interface Options {
  url: string;
  schema: Schema;
  channels: readonly string[];
  onNotice: (channel: string, payload: string) => void;
  /** Called on each new connection once it listens, so that no later notification is missed. */
  onConnected: (client: ClientBase) => Promise<void>;
  /** Called every `heartbeatMs`. If it rejects, the connection is closed and opened again. */
  sendHeartbeat: (client: ClientBase) => Promise<void>;
  heartbeatMs: number;
  /** Called once per outage with the reason, and with `null` when the database is available again. */
  onOutage: (reason: string | null) => void;
}

/** One connection that listens for notifications of the database (`LISTEN`). It reconnects when it is lost. */
export function createNotifications({
  url,
  schema,
  channels,
  onNotice,
  onConnected,
  sendHeartbeat,
  heartbeatMs,
  onOutage,
}: Options) {
  let isConnected = false;
  let isOutage = false;
  let running: Promise<void> | null = null;
  let wakeHeartbeat = () => {};
  const closed = new AbortController();
  const { signal } = closed;

  function reportOutage(reason: string | null): void {
    if (isOutage === (reason !== null)) return;
    isOutage = reason !== null;
    onOutage(reason);
  }

  /**
   * Waits until the next heartbeat is due or `wakeHeartbeat` is called. Not a race with a promise that lasts as long as
   * the connection: that would leak one reaction for each heartbeat.
   */
  async function waitForHeartbeat(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeHeartbeat = resolve;
    const timer = setTimeout(resolve, heartbeatMs);
    await promise;
    clearTimeout(timer);
  }

  /** Listens until `close` is called. @throws If the connection is lost, the reason. */
  async function listen(client: Client): Promise<void> {
    const errors: Error[] = [];
    const onLost = (error: Error) => {
      errors.push(error);
      wakeHeartbeat();
    };
    client.once('error', onLost).on('error', () => {});
    client.once('end', () => onLost(new Error('the connection has ended')));
    client.on('notification', ({ channel, payload = '' }) => onNotice(channel, payload));
    await client.connect();
    await ensureSchema(client, schema);
    for (const channel of channels) await client.query(`LISTEN ${channel}`);
    await onConnected(client);
    isConnected = true;
    reportOutage(null);
    while (!signal.aborted) {
      await sendHeartbeat(client);
      if (errors.length === 0 && !signal.aborted) await waitForHeartbeat();
      if (errors[0]) throw errors[0];
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const socket = new Socket();
      const config: ClientConfig & { stream: () => Socket } = {
        connectionString: url,
        application_name: 'pillion-servers',
        connectionTimeoutMillis: TIMEOUT_MS,
        statement_timeout: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
        keepAlive: true,
        stream: () => socket,
      };
      const client = new Client(config);
      try {
        await listen(client);
      } catch (error) {
        if (!signal.aborted) reportOutage(describeError(error));
      } finally {
        isConnected = false;
        // A database that hangs never ends the connection.
        socket.destroy();
      }
      await pause(RECONNECT_PAUSE_MS, null, { signal }).catch(() => {});
    }
  }

  return {
    /** Whether the connection listens. */
    get isConnected() {
      return isConnected;
    },
    start(): void {
      running ??= run();
    },
    /** Sends a heartbeat now instead of at the next interval. */
    heartbeatNow: () => wakeHeartbeat(),
    async close(): Promise<void> {
      closed.abort();
      wakeHeartbeat();
      await running;
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
