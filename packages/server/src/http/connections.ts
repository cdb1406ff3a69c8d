import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  most: number;
  /** Does not apply to proxies. */
  mostPerNetwork: number;
  /** Bytes per second that a client must send or read on average. */
  bytesPerSecond: number;
  /** Seconds that a client may fall behind, as in a tunnel or on a change of networks. */
  graceS: number;
}

/** Most connections, even if the system allows more. */
const MOST = 4_096;
/** A page opens at most 6 connections, and 100 visitors may share one address. */
const MOST_PER_NETWORK = 512;
/** Slower than the slowest phone connection (EDGE has about 10 KB/s), so that uploads of 9 MB still arrive. */
const BYTES_PER_SECOND = 4_096;
const GRACE_S = 20;

/** Interval of the check, in milliseconds. */
const LOOK_MS = 1_000;

/** Descriptors for the store, the logs and WordPress. Half of the rest is for files that connections open. */
const OWN_DESCRIPTORS = 128;

/** Limit of this process' descriptors (proc(5)); `null` if the system does not report it. */
function descriptors(): number | null {
  try {
    return Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) || null;
  } catch {
    return null;
  }
}

function usualLimits(): ConnectionLimits {
  const allowed = descriptors() ?? 1_024;
  return {
    most: Math.max(64, Math.min(MOST, Math.floor((allowed - OWN_DESCRIPTORS) / 2))),
    mostPerNetwork: MOST_PER_NETWORK,
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
  moved: number;
  /** Time of the last bytes, in milliseconds of a monotonic clock. */
  movedAt: number;
  /** Remaining seconds that it may fall behind. */
  creditS: number;
}

/** The side that has to act next on a connection. */
type Awaited = 'nobody' | 'visitor' | 'us';

function awaitedOf({ socket, request, response }: Connection): Awaited {
  // First, as unread bytes fill the server's memory.
  if (socket.writableLength > 0) return 'visitor';
  if (!request || !response) return 'nobody';
  // The server has received bytes that it has not read yet.
  if (!request.complete) return request.readableLength > 0 ? 'us' : 'visitor';
  return response.writableFinished ? 'nobody' : 'us';
}

const movedOf = ({ bytesRead, bytesWritten, writableLength }: Socket) => bytesRead + bytesWritten - writableLength;

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
 * @returns `look` checks all connections now.
 */
export function guardConnections(server: Server, options: Options) {
  const { limits = usualLimits(), networkOf, onEnded = () => {}, now = () => performance.now() } = options;
  const open = new Map<Socket, Connection>();
  const perNetwork = new Map<string, number>();
  let lookedAt = now();

  function end(connection: Connection, why: 'slow' | 'too many'): void {
    onEnded(why);
    remove(connection);
    connection.socket.destroy();
  }

  function remove({ socket, network }: Connection): void {
    if (!open.delete(socket) || network === null) return;
    const left = (perNetwork.get(network) ?? 1) - 1;
    if (left > 0) perNetwork.set(network, left);
    else perNetwork.delete(network);
  }

  /** Ends the most idle connection. @returns Whether there was one. */
  function makeRoom(network: string | null): boolean {
    let mostIdle: Connection | null = null;
    for (const connection of open.values()) {
      if (network !== null && connection.network !== network) continue;
      if (awaitedOf(connection) === 'us') continue;
      if (!mostIdle || connection.movedAt < mostIdle.movedAt) mostIdle = connection;
    }
    if (!mostIdle) return false;
    end(mostIdle, 'too many');
    return true;
  }

  function onConnection(socket: Socket): void {
    const network = networkOf(socket.remoteAddress);
    const ofNetwork = network === null ? 0 : (perNetwork.get(network) ?? 0);
    const hasRoom =
      (ofNetwork < limits.mostPerNetwork || makeRoom(network)) && (open.size < limits.most || makeRoom(null));
    if (!hasRoom) {
      onEnded('too many');
      return void socket.destroy();
    }
    const connection = { socket, network, moved: 0, movedAt: now(), creditS: limits.graceS };
    open.set(socket, { ...connection, request: null, response: null });
    if (network !== null) perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
    socket.once('close', () => {
      const closed = open.get(socket);
      if (closed) remove(closed);
    });
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const connection = open.get(request.socket);
    if (!connection) return;
    connection.request = request;
    connection.response = response;
    connection.creditS = limits.graceS;
  }

  function look(): void {
    const at = now();
    // Does not count time in which this process was busy.
    const passedS = Math.min(at - lookedAt, 2 * LOOK_MS) / 1000;
    lookedAt = at;
    for (const connection of [...open.values()]) {
      const moved = movedOf(connection.socket);
      const bytes = moved - connection.moved;
      connection.moved = moved;
      if (bytes > 0) connection.movedAt = at;
      const owedS = awaitedOf(connection) === 'visitor' ? passedS : 0;
      connection.creditS = Math.min(limits.graceS, connection.creditS + bytes / limits.bytesPerSecond - owedS);
      if (connection.creditS < 0) end(connection, 'slow');
    }
  }

  server.on('connection', onConnection);
  server.prependListener('request', onRequest);
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    look,
    count: () => open.size,
    /** The last response of each open connection, sent or in progress. */
    *responses(): Generator<ServerResponse> {
      for (const { response } of open.values()) if (response) yield response;
    },
    stop(): void {
      clearInterval(timer);
      server.off('connection', onConnection);
      server.off('request', onRequest);
    },
  };
}
