import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections open at once. */
  most: number;
  /** Of one network, where it is no proxy. */
  mostPerNetwork: number;
  /** Bytes a second that a visitor must send or read on average. */
  bytesPerSecond: number;
  /** Seconds that a visitor may fall behind: a tunnel, a change of networks. */
  graceS: number;
}

/** Most connections at once, whatever the system allows. */
const MOST = 4_096;
/** A page opens six at most; a hundred visitors may share one address. */
const MOST_PER_NETWORK = 512;
/** Slower than any phone's worst line (EDGE has some 10 KB/s), so that 9 MB of files still arrive over it. */
const BYTES_PER_SECOND = 4_096;
const GRACE_S = 20;

/** How often connections are looked at, in milliseconds. */
const LOOK_MS = 1_000;

/** Descriptors kept for the store, the logs and WordPress. Every other connection may hold an open file too. */
const OWN_DESCRIPTORS = 128;

/** Descriptors this process may have (proc(5)); `null` where the system does not say. */
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
  /** Bytes moved either way when it was last looked at. */
  moved: number;
  /** When something last moved, in milliseconds that never jump. */
  movedAt: number;
  /** Seconds it may still fall behind. */
  creditS: number;
}

/** Who has to act next on a connection. */
type Awaited = 'nobody' | 'visitor' | 'us';

function awaitedOf({ socket, request, response }: Connection): Awaited {
  // Bytes that the visitor does not read fill our memory: she comes first.
  if (socket.writableLength > 0) return 'visitor';
  if (!request || !response) return 'nobody';
  // Bytes have come that this server has not read yet.
  if (!request.complete) return request.readableLength > 0 ? 'us' : 'visitor';
  return response.writableFinished ? 'nobody' : 'us';
}

const movedOf = ({ bytesRead, bytesWritten, writableLength }: Socket) => bytesRead + bytesWritten - writableLength;

interface Options {
  limits?: ConnectionLimits;
  /** Network of whoever opened a connection; `null` where that may be a proxy, which speaks for many. */
  networkOf: (remote: string | undefined) => string | null;
  /** Told of each connection that was ended, and why. */
  onEnded?: (why: 'slow' | 'too many') => void;
  /** Milliseconds that never jump. */
  now?: () => number;
}

/**
 * Limits a server's connections. One that sends or reads too slowly is ended. Where too many are open, the one that has
 * stood still for longest is ended, so that a new one gets in. A connection that waits for this server is never ended.
 * @returns `stop`, `responses`, and `look`, which judges all connections at once instead of at the next look.
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

  /** Ends the one that has stood still for longest. @returns Whether there was one. */
  function makeRoom(network: string | null): boolean {
    let stillest: Connection | null = null;
    for (const connection of open.values()) {
      if (network !== null && connection.network !== network) continue;
      if (awaitedOf(connection) === 'us') continue;
      if (!stillest || connection.movedAt < stillest.movedAt) stillest = connection;
    }
    if (!stillest) return false;
    end(stillest, 'too many');
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
    // Time in which this process itself was busy is not counted against visitors.
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
    /** The last response of each open connection, sent or not. */
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
