import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { inBatches } from './batch.ts';
import { type Call, createSqliteFile, READS, type SqliteTable } from './sqlite-file.ts';
import type { Reply, Request } from './sqlite-thread.ts';
import type { NewSignUp, Queue, SignUpStore, StoredSignUp } from './store.ts';

export const FILE = 'sign-ups.sqlite';

/** Timeout of a call in milliseconds. The row may still be stored afterwards; a retry has the same id. */
const CALL_TIMEOUT_MS = 10_000;

/** Runs a call. Rejects if it fails. */
type Run = (call: Call) => Promise<unknown>;

/** @param read Runs the calls that change nothing. */
function createStore(run: Run, read: Run, close: () => Promise<void>): SignUpStore {
  /** Makes the functions of one queue, each of which runs a call. */
  const callOf =
    (destination: string | null) =>
    <Name extends keyof SqliteTable>(name: Name) =>
    (...given: Parameters<SqliteTable[Name]>) =>
      (READS.has(name) ? read : run)({ destination, name, given }) as Promise<ReturnType<SqliteTable[Name]>>;
  function createQueue(destination: string | null): Queue<StoredSignUp> {
    const call = callOf(destination);
    const claim = call('claim');
    const payloads = call('payloads');
    return {
      async claim(wanted) {
        const claimed = await claim(wanted);
        if (claimed.length === 0) return claimed;
        // If this fails, the leases expire and the rows are claimed again.
        const sealed = await payloads(claimed.map(({ signUpId }) => signUpId));
        return claimed.map((row, at) => ({ ...row, payload: sealed[at] ?? null }));
      },
      deliver: call('deliver'),
      postpone: call('postpone'),
      bury: call('bury'),
      wake: call('wake'),
      again: call('again'),
      get: call('get'),
      list: call('list'),
      troubles: call('troubles'),
      stats: call('stats'),
    };
  }
  const call = callOf(null);
  let isClosing = false;
  return {
    ...createQueue(null),
    copiesFor: createQueue,
    destinations: call('destinations'),
    removeCopies: inBatches(call('removeCopies'), () => isClosing),
    add: call('add'),
    retry: call('retry'),
    erase: call('erase'),
    expire: inBatches(call('expire'), () => isClosing),
    probe: call('probe'),
    close() {
      isClosing = true;
      return close();
    },
  };
}

/** Payloads are transferred to the thread, not copied: they may be large, and this thread does not use them again. */
const transferListOf = ({ name, given: [given] }: Call) =>
  name === 'add' ? ownBuffers([(given as NewSignUp).payload]) : [];

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  timeout: NodeJS.Timeout;
}

/** Starts a thread and tracks its pending calls. When it ends, all of them reject and `onEnd` is called. */
function startSqliteThread(path: string, onEnd: () => void) {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: path });
  const pending = new Map<number, Pending>();
  let lastId = 0;

  /** Without effect after the first time, such as for a result after the timeout. */
  function settle(id: number, resolveOrReject: (call: Pending) => void): void {
    const call = pending.get(id);
    if (!call) return;
    pending.delete(id);
    clearTimeout(call.timeout);
    resolveOrReject(call);
  }

  function failAll(error: Error): void {
    for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(error));
    onEnd();
  }

  // The thread does not keep the process running; a pending call does, by its timeout. `close` calls `ref` again, to
  // wait for the thread's end.
  worker.unref();
  const ended = once(worker, 'exit').catch(() => {});
  worker.on('message', (replies: Reply[]) => {
    for (const reply of replies)
      settle(reply.id, ({ resolve, reject }) => (reply.ok ? resolve(reply.value) : reject(new Error(reply.message))));
  });
  worker.on('error', failAll);
  worker.on('exit', () => failAll(new Error('the store has ended')));

  return {
    run: (call: Call) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++lastId;
        const onTimeout = () => settle(id, ({ reject }) => reject(new Error('the disk did not answer in time')));
        pending.set(id, { resolve, reject, timeout: setTimeout(onTimeout, CALL_TIMEOUT_MS) });
        worker.postMessage({ id, ...call } satisfies Request, transferListOf(call));
      }),
    async close() {
      worker.ref();
      // `null` ends the thread after the calls before it.
      worker.postMessage(null satisfies Request);
      await ended;
    },
  };
}

/** A thread that starts with the first call, and again with the next call after its end. */
function createThread(path: string) {
  let thread: ReturnType<typeof startSqliteThread> | null = null;
  const startedThread = () => {
    if (thread) return thread;
    const started = startSqliteThread(path, () => {
      // An error is followed by `exit`. A new thread may already run by then.
      if (thread === started) thread = null;
    });
    thread = started;
    return started;
  };
  return { run: (call: Call) => startedThread().run(call), close: async () => thread?.close() };
}

/**
 * The store of a server, in `DATA_DIR/sign-ups.sqlite`. One thread writes, with several sign-ups in a commit. Another
 * one reads, so that no sign-up waits while files are read for a delivery.
 */
export function createSqliteStore(directory: string): SignUpStore {
  const [writer, reader] = [createThread(join(directory, FILE)), createThread(join(directory, FILE))];
  return createStore(writer.run, reader.run, async () => {
    // The writer closes last, because the last connection removes the WAL file.
    await reader.close();
    await writer.close();
  });
}

/** The same file without threads, for commands, which serve no visitors. */
export function createDirectSqliteStore(directory: string): SignUpStore {
  const file = createSqliteFile(join(directory, FILE));
  async function run(call: Call): Promise<unknown> {
    const [outcome] = file.run([call]);
    if (outcome?.ok) return outcome.value;
    throw new Error(outcome?.message ?? 'nothing was run');
  }
  return createStore(run, run, async () => file.close());
}
