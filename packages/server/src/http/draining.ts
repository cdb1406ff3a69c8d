import type { ServerResponse } from 'node:http';

/** Who asked for this server's health within these milliseconds counts as watching it. */
const WATCHED_MS = 60_000;

/**
 * What a server says before it ends. A balancer is told that it is not ready while it still answers every request, and
 * every response closes its connection, so that the next request goes elsewhere.
 * @param now Milliseconds of a clock that never jumps.
 */
export function createDraining(now: () => number = () => performance.now()) {
  let isDraining = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    get isDraining() {
      return isDraining;
    },
    /** @param underWay Responses that were begun before. Nobody lists them until now: that costs each request a listener. */
    begin(underWay: Iterable<ServerResponse>): void {
      isDraining = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    /** Notes that somebody asked for its health. */
    asked(): void {
      askedAt = now();
    },
    /** Whether somebody watches its health and has to be told of the end. */
    get isWatched() {
      return now() - askedAt < WATCHED_MS;
    },
    /** To be called before a response is begun. */
    mark(response: ServerResponse): void {
      if (isDraining) response.shouldKeepAlive = false;
    },
  };
}

export type Draining = ReturnType<typeof createDraining>;
