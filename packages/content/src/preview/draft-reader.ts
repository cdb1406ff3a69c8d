import { Worker } from 'node:worker_threads';
import { createLimit } from '@pillion/lib/limit.ts';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { withTimeout } from '@pillion/lib/timeout.ts';
import type { Warn } from '../wordpress/result.ts';
import type { DraftFault, DraftToRead, ReadDraft } from './read-draft.ts';

/** Longest time for one draft, in milliseconds. A thread that takes longer is ended. */
const READ_WITHIN_MS = 10_000;

/** Memory of the thread, in MB. The largest draft that is let in takes less; a hostile one ends the thread alone. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 6 };

/** One after the other: the thread reads no two at once. */
const turns = createLimit(1);

let thread: Worker | null = null;

function started(): Worker {
  if (thread) return thread;
  const own = new Worker(new URL('./draft-thread.ts', import.meta.url), { resourceLimits: RESOURCE_LIMITS });
  own.unref();
  const forget = () => {
    if (thread === own) thread = null;
  };
  // An error is followed by the exit, when the next one may run already.
  own.on('error', forget).on('exit', forget);
  thread = own;
  return own;
}

function askThread(asked: DraftToRead, signal: AbortSignal): Promise<ReadDraft | DraftFault> {
  const own = started();
  const end = () => {
    // The next draft must not be given to a thread that is ending.
    if (thread === own) thread = null;
    void own.terminate();
  };
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the thread of drafts has ended'));
    const onMessage = (read: ReadDraft | DraftFault) => {
      own.off('exit', onExit).off('error', reject);
      resolve(read);
    };
    own.once('error', reject).once('exit', onExit).once('message', onMessage);
    signal.addEventListener('abort', end, { once: true });
    own.postMessage(asked, asked.source instanceof Uint8Array ? ownBuffers([asked.source]) : []);
  });
}

/**
 * Reads a draft in the thread of drafts, which starts with the first one.
 * @param warn Called where the thread ends, without a word of the draft.
 * @returns `unreadable` too where the thread runs out of memory or time with it.
 */
export const readInThread = (asked: DraftToRead, warn: Warn): Promise<ReadDraft | DraftFault> =>
  turns.run(() =>
    withTimeout(READ_WITHIN_MS, (signal) => askThread(asked, signal)).catch((error: unknown): DraftFault => {
      const { name, code } = error as NodeJS.ErrnoException;
      warn('preview.thread-ended', { error: code ?? name });
      return 'unreadable';
    }),
  );
