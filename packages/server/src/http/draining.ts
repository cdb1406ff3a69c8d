import type { ServerResponse } from 'node:http';

/** A request for the server's health counts as monitoring for this time, in milliseconds. */
const WATCHED_MS = 60_000;

/**
 * Draining before the server ends: it reports that it is not ready but still responds to every request. Every response
 * closes its connection, so that the next request goes to another server.
 */
export function createDraining() {
  let isDraining = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    get isDraining() {
      return isDraining;
    },
    /** @param underWay Responses in progress. */
    begin(underWay: Iterable<ServerResponse>): void {
      isDraining = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    /** Call this for each health request. */
    asked(): void {
      askedAt = performance.now();
    },
    /** Whether a client monitors the server's health. */
    get isWatched() {
      return performance.now() - askedAt < WATCHED_MS;
    },
    /** Call this before each response. */
    mark(response: ServerResponse): void {
      if (isDraining) response.shouldKeepAlive = false;
    },
  };
}

export type Draining = ReturnType<typeof createDraining>;
