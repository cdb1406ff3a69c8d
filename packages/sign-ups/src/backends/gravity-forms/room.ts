import type { Client } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import { LARGEST_BODY } from '../../uploads/read-upload.ts';
import type { SmallerRoom } from '../backend.ts';
import { REMEDIES } from './remedies.ts';

/** Web servers accept at least this many bytes: nginx' default limit is 1 MB, and others have a higher one. */
const ALWAYS_ACCEPTED = 1_000_000;

/** Time after which a size is tried again, in milliseconds. */
const KNOWN_MS = 60_000;

/** Timeout of one try in milliseconds. A visitor waits for it. */
const WITHIN_MS = 1_500;

/** Sizes that WordPress' web server accepted or refused, in bytes. */
interface Known {
  accepted: number;
  refused: number;
  /** Monotonic clock. */
  until: number;
}

const nothing = (): Known => ({
  accepted: ALWAYS_ACCEPTED,
  refused: Number.POSITIVE_INFINITY,
  until: performance.now() + KNOWN_MS,
});

/** Tries by the headers alone, so no body is sent. The largest size comes first: it usually answers all questions. */
export function createRoom(client: Client): SmallerRoom {
  let known = nothing();
  let trying: Promise<unknown> = Promise.resolve();

  async function attempt(bytes: number): Promise<void> {
    if (performance.now() > known.until) known = nothing();
    for (const size of [LARGEST_BODY, bytes]) {
      if (bytes <= known.accepted || bytes >= known.refused) return;
      if (size >= known.refused) continue;
      const isAccepted = await client.accepts(`${PREFIXES.forms}/0/submissions`, size, { timeoutMs: WITHIN_MS });
      if (isAccepted) known.accepted = size;
      else known.refused = size;
    }
  }

  return async (bytes) => {
    // One try at a time, as its result usually answers the next question.
    const own = trying.then(() => attempt(bytes));
    trying = own;
    await own;
    return bytes < known.refused ? null : { bytes: known.accepted, todo: REMEDIES['body-too-large'] ?? '' };
  };
}
