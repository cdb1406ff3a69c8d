import type { ServerResponse } from 'node:http';

/** A request for the server's health counts as monitoring for this time, in milliseconds. */
const MONITORED_MS = 60_000;

/**
 * Draining before the server ends: it reports that it is not ready but still responds to every request. Every response
 * closes its connection, so that the next request goes to another server.
 */
export function createDraining() {
  let isDraining = false;
  let healthRequestedAt = Number.NEGATIVE_INFINITY;
  return {
    get isDraining() {
      return isDraining;
    },
    /** @param responses Responses in progress. */
    begin(responses: Iterable<ServerResponse>): void {
      isDraining = true;
      for (const response of responses) response.shouldKeepAlive = false;
    },
    /** Call this for each health request. */
    noteHealthRequest(): void {
      healthRequestedAt = performance.now();
    },
    /** Whether a client monitors the server's health. */
    get isMonitored() {
      return performance.now() - healthRequestedAt < MONITORED_MS;
    },
    /** Call this before each response. */
    prepareResponse(response: ServerResponse): void {
      if (isDraining) response.shouldKeepAlive = false;
    },
  };
}

export type Draining = ReturnType<typeof createDraining>;
