import { type ResourceLimits, Worker } from 'node:worker_threads';
import { createLimit } from '@pillion/lib/limit.ts';
import { withTimeout } from '@pillion/lib/timeout.ts';

interface Options {
  /** The thread's memory. One that needs more ends. */
  resourceLimits: ResourceLimits;
  /** Longest time for one message, in milliseconds. A thread that takes longer is ended. */
  timeoutMs: number;
  /** Passed to the thread when it starts. */
  workerData?: unknown;
}

/**
 * A thread that handles one request at a time. It starts with the first request, and again if it has ended.
 * @returns A function that sends a message and resolves with the reply; it rejects if the thread ends or takes too long.
 * `transfer`: memory that is moved to the thread, not copied.
 */
export function createThread<Message, Reply>(program: URL, { resourceLimits, timeoutMs, workerData }: Options) {
  const limit = createLimit(1);
  let thread: Worker | null = null;

  function runningThread(): Worker {
    if (thread) return thread;
    const worker = new Worker(program, { resourceLimits, workerData });
    worker.unref();
    const forget = () => {
      if (thread === worker) thread = null;
    };
    // The exit follows an error, when the next thread may already run.
    worker.on('error', forget).on('exit', forget);
    thread = worker;
    return worker;
  }

  function postMessage(message: Message, transfer: ArrayBuffer[], signal: AbortSignal): Promise<Reply> {
    const worker = runningThread();
    const terminate = () => {
      // The next message must not go to a thread that is ending.
      if (thread === worker) thread = null;
      void worker.terminate();
    };
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the thread has ended'));
      const onMessage = (response: Reply) => {
        worker.off('exit', onExit).off('error', reject);
        resolve(response);
      };
      worker.once('error', reject).once('exit', onExit).once('message', onMessage);
      signal.addEventListener('abort', terminate, { once: true });
      worker.postMessage(message, transfer);
    });
  }

  return (message: Message, transfer: ArrayBuffer[] = []): Promise<Reply> =>
    limit.run(() => withTimeout(timeoutMs, (signal) => postMessage(message, transfer, signal)));
}
