import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  maxConnections: number;
  /** Does not apply to proxies. */
  maxPerNetwork: number;
  /** Bytes per second that a client must send or read on average. */
  bytesPerSecond: number;
  /** Seconds that a client may fall behind, as in a tunnel or on a change of networks. */
  graceS: number;
}

/** Most connections, even if the system allows more. */
const MAX_CONNECTIONS = 4_096;
/** A page opens at most 6 connections, and 100 visitors may share one address. */
const MAX_PER_NETWORK = 512;
/** Slower than the slowest phone connection (EDGE has about 10 KB/s), so that uploads of 9 MB still arrive. */
const BYTES_PER_SECOND = 4_096;
const GRACE_S = 20;

/** Interval of the check, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/** Soft limit of most Linux systems, if the system does not report its limit. */
const DEFAULT_DESCRIPTOR_LIMIT = 1_024;
/** Descriptors for the store, the logs and WordPress. Half of the rest is for files that connections open. */
const RESERVED_DESCRIPTORS = 128;
/** Fewest connections, even if the system allows hardly any descriptors. */
const MIN_CONNECTIONS = 64;

/** Limit of this process' descriptors (proc(5)); `null` if the system does not report it. */
function readDescriptorLimit(): number | null {
  try {
    return Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) || null;
  } catch {
    return null;
  }
}

function defaultLimits(): ConnectionLimits {
  const freeDescriptors = (readDescriptorLimit() ?? DEFAULT_DESCRIPTOR_LIMIT) - RESERVED_DESCRIPTORS;
  return {
    maxConnections: Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(freeDescriptors / 2))),
    maxPerNetwork: MAX_PER_NETWORK,
    bytesPerSecond: BYTES_PER_SECOND,
    graceS: GRACE_S,
  };
}

interface Connection {
  socket: Socket;
  network: string | null;
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** Bytes sent and received until the last check. */
  totalBytes: number;
  /** Time of the last bytes, in milliseconds of a monotonic clock. */
  lastMovedAt: number;
  /** Remaining seconds that it may fall behind. */
  creditS: number;
}

/** The side that has to act next on a connection; `neither` between two requests. */
type AwaitedSide = 'neither' | 'client' | 'server';

function awaitedSide({ socket, request, response }: Connection): AwaitedSide {
  // First, as bytes that the client does not read fill the server's memory.
  if (socket.writableLength > 0) return 'client';
  if (!request || !response) return 'neither';
  // The server has received bytes that it has not read yet.
  if (!request.complete) return request.readableLength > 0 ? 'server' : 'client';
  return response.writableFinished ? 'neither' : 'server';
}

const countBytes = ({ bytesRead, bytesWritten, writableLength }: Socket) => bytesRead + bytesWritten - writableLength;

interface Options {
  limits?: ConnectionLimits;
  /** Network of a connection's client; `null` if it may be a proxy of many clients. */
  networkOf: (remote: string | undefined) => string | null;
  /** Called for each connection that the guard ends. */
  onEnded?: (why: 'slow' | 'too many') => void;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Limits a server's connections. It ends connections that send or read too slowly. If too many are open, it ends the
 * most idle one for each new one. It never ends a connection that waits for this server.
 * @returns `checkAll` checks all connections now.
 */
export function guardConnections(server: Server, options: Options) {
  const { limits = defaultLimits(), networkOf, onEnded = () => {}, now = () => performance.now() } = options;
  const connections = new Map<Socket, Connection>();
  const countByNetwork = new Map<string, number>();
  let lastCheckAt = now();

  function endConnection(connection: Connection, why: 'slow' | 'too many'): void {
    onEnded(why);
    removeConnection(connection);
    connection.socket.destroy();
  }

  function removeConnection({ socket, network }: Connection): void {
    if (!connections.delete(socket) || network === null) return;
    const remaining = (countByNetwork.get(network) ?? 1) - 1;
    if (remaining > 0) countByNetwork.set(network, remaining);
    else countByNetwork.delete(network);
  }

  /** Ends the most idle connection. @param network `null`: of all networks. @returns Whether there was one. */
  function endMostIdle(network: string | null): boolean {
    let mostIdle: Connection | null = null;
    for (const connection of connections.values()) {
      if (network !== null && connection.network !== network) continue;
      if (awaitedSide(connection) === 'server') continue;
      if (!mostIdle || connection.lastMovedAt < mostIdle.lastMovedAt) mostIdle = connection;
    }
    if (!mostIdle) return false;
    endConnection(mostIdle, 'too many');
    return true;
  }

  function onConnection(socket: Socket): void {
    const network = networkOf(socket.remoteAddress);
    const countOfNetwork = network === null ? 0 : (countByNetwork.get(network) ?? 0);
    const hasRoom =
      (countOfNetwork < limits.maxPerNetwork || endMostIdle(network)) &&
      (connections.size < limits.maxConnections || endMostIdle(null));
    if (!hasRoom) {
      onEnded('too many');
      return void socket.destroy();
    }
    const connection: Connection = {
      ...{ socket, network, request: null, response: null },
      ...{ totalBytes: 0, lastMovedAt: now(), creditS: limits.graceS },
    };
    connections.set(socket, connection);
    // Not `countOfNetwork`: `endMostIdle` may have ended one.
    if (network !== null) countByNetwork.set(network, (countByNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => removeConnection(connection));
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.request = request;
    connection.response = response;
    connection.creditS = limits.graceS;
  }

  function checkAll(): void {
    const time = now();
    // At most two intervals: clients do not pay for time in which this process was busy.
    const elapsedS = Math.min(time - lastCheckAt, 2 * CHECK_INTERVAL_MS) / 1000;
    lastCheckAt = time;
    for (const connection of [...connections.values()]) {
      const totalBytes = countBytes(connection.socket);
      const newBytes = totalBytes - connection.totalBytes;
      connection.totalBytes = totalBytes;
      if (newBytes > 0) connection.lastMovedAt = time;
      const debtS = awaitedSide(connection) === 'client' ? elapsedS : 0;
      connection.creditS = Math.min(limits.graceS, connection.creditS + newBytes / limits.bytesPerSecond - debtS);
      if (connection.creditS < 0) endConnection(connection, 'slow');
    }
  }

  server.on('connection', onConnection);
  server.prependListener('request', onRequest);
  const timer = setInterval(checkAll, CHECK_INTERVAL_MS).unref();
  return {
    checkAll,
    count: () => connections.size,
    /** The last response of each open connection, sent or in progress. */
    *responses(): Generator<ServerResponse> {
      for (const { response } of connections.values()) if (response) yield response;
    },
    stop(): void {
      clearInterval(timer);
      server.off('connection', onConnection);
      server.off('request', onRequest);
    },
  };
}
