import type { Client } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import { MAX_BODY_BYTES } from '../../uploads/read-upload.ts';
import type { SmallerRoom } from '../backend.ts';
import { REMEDIES } from './remedies.ts';

/** Web servers accept at least this many bytes: nginx' default limit is 1 MB, and others have a higher one. */
const ALWAYS_ACCEPTED_BYTES = 1_000_000;

/** Time after which a size is tried again, in milliseconds. */
const CACHE_MS = 60_000;

/** Timeout of one try in milliseconds. A visitor waits for it. */
const TIMEOUT_MS = 1_500;

/** The largest size that WordPress' web server accepted, and the smallest that it refused, in bytes. */
interface KnownSizes {
  accepted: number;
  refused: number;
  /** When both are forgotten. Monotonic clock, in milliseconds. */
  until: number;
}

const noKnownSizes = (): KnownSizes => ({
  accepted: ALWAYS_ACCEPTED_BYTES,
  refused: Number.POSITIVE_INFINITY,
  until: performance.now() + CACHE_MS,
});

/** Tries by the headers alone, so no body is sent. The largest size comes first: it usually answers all questions. */
export function createSizeCheck(client: Client): SmallerRoom {
  let known = noKnownSizes();
  let lastAttempt: Promise<unknown> = Promise.resolve();

  /** Tries sizes until it is known whether `bytes` are accepted. */
  async function trySizes(bytes: number): Promise<void> {
    if (performance.now() > known.until) known = noKnownSizes();
    for (const size of [MAX_BODY_BYTES, bytes]) {
      if (bytes <= known.accepted || bytes >= known.refused) return;
      if (size >= known.refused) continue;
      const isAccepted = await client.accepts(`${PREFIXES.forms}/0/submissions`, size, { timeoutMs: TIMEOUT_MS });
      if (isAccepted) known.accepted = size;
      else known.refused = size;
    }
  }

  return async (bytes) => {
    // One try at a time, as its result usually answers the next question.
    const attempt = lastAttempt.then(() => trySizes(bytes));
    lastAttempt = attempt;
    await attempt;
    return bytes < known.refused ? null : { bytes: known.accepted, todo: REMEDIES['body-too-large'] ?? '' };
  };
}
