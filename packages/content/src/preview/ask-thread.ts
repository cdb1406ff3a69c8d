import { type ResourceLimits, Worker } from 'node:worker_threads';
import { createLimit } from '@pillion/lib/limit.ts';
import { withTimeout } from '@pillion/lib/timeout.ts';

interface Options {
  /** The thread's memory. One that needs more ends. */
  resourceLimits: ResourceLimits;
  /** Longest time for one question, in milliseconds. A thread that takes longer is ended. */
  withinMs: number;
  /** Passed to the thread when it starts. */
  workerData?: unknown;
}

/**
 * A thread that handles one request at a time. It starts with the first request, and again if it has ended.
 * @returns Asks it. `transfer`: memory that goes over uncopied. Rejects where the thread ends or takes too long.
 */
export function createThread<Question, Answer>(program: URL, { resourceLimits, withinMs, workerData }: Options) {
  const turns = createLimit(1);
  let thread: Worker | null = null;

  function started(): Worker {
    if (thread) return thread;
    const own = new Worker(program, { resourceLimits, workerData });
    own.unref();
    const forget = () => {
      if (thread === own) thread = null;
    };
    // An error is followed by the exit, when the next one may run already.
    own.on('error', forget).on('exit', forget);
    thread = own;
    return own;
  }

  function ask(question: Question, transfer: ArrayBuffer[], signal: AbortSignal): Promise<Answer> {
    const own = started();
    const end = () => {
      // The next question must not be given to a thread that is ending.
      if (thread === own) thread = null;
      void own.terminate();
    };
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the thread has ended'));
      const onMessage = (answer: Answer) => {
        own.off('exit', onExit).off('error', reject);
        resolve(answer);
      };
      own.once('error', reject).once('exit', onExit).once('message', onMessage);
      signal.addEventListener('abort', end, { once: true });
      own.postMessage(question, transfer);
    });
  }

  return (question: Question, transfer: ArrayBuffer[] = []): Promise<Answer> =>
    turns.run(() => withTimeout(withinMs, (signal) => ask(question, transfer, signal)));
}
