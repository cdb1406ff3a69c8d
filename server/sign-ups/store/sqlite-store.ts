import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ownBuffers } from './own-buffers.ts';
import { type Call, createSqliteFile, type Outcome } from './sqlite-file.ts';
import type { SqliteTable } from './sqlite-table.ts';
import type { Answer, Request } from './sqlite-thread.ts';
import type { NewSignUp, SignUpStore } from './store.ts';

const FILE = 'sign-ups.sqlite';

/** Longest wait for the disk, in milliseconds. Whoever is told no may have been kept: the same id finds out. */
const ANSWER_WITHIN_MS = 10_000;

/** Runs a call somewhere. Rejects where it fails. */
type Run = (call: Call) => Promise<unknown>;

const resultOf = (outcome: Outcome): unknown => {
  if (outcome.ok) return outcome.value;
  throw new Error(outcome.message);
};

function storeOver(run: Run, close: () => Promise<void>): SignUpStore {
  const call =
    <Name extends keyof SqliteTable>(name: Name) =>
    (...given: Parameters<SqliteTable[Name]>) =>
      run({ name, given }) as Promise<ReturnType<SqliteTable[Name]>>;
  return {
    add: call('add'),
    claim: call('claim'),
    deliver: call('deliver'),
    postpone: call('postpone'),
    bury: call('bury'),
    wake: call('wake'),
    list: call('list'),
    get: call('get'),
    retry: call('retry'),
    erase: call('erase'),
    expire: call('expire'),
    stats: call('stats'),
    close,
  };
}

/** What is sealed goes over to the thread instead of being copied: with files it is large, and nobody looks at it again. */
const handedOver = ({ name, given: [given] }: Call) =>
  name === 'add' ? ownBuffers([(given as NewSignUp).payload]) : [];

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  deadline: NodeJS.Timeout;
}

/** A running thread and who waits for it. Once it has ended everybody is told, and it is of no more use. */
function startThread(path: string, onEnd: () => void) {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: path });
  const pending = new Map<number, Pending>();
  let lastId = 0;

  function settle(id: number, how: (waiting: Pending) => void): void {
    const waiting = pending.get(id);
    if (!waiting) return;
    pending.delete(id);
    clearTimeout(waiting.deadline);
    how(waiting);
  }

  function fail(error: Error): void {
    for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(error));
    onEnd();
  }

  worker.unref();
  const ended = once(worker, 'exit').catch(() => {});
  worker.on('message', (answers: Answer[]) => {
    for (const answer of answers)
      settle(answer.id, ({ resolve, reject }) =>
        answer.ok ? resolve(answer.value) : reject(new Error(answer.message)),
      );
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the store has ended')));

  return {
    run: (call: Call) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++lastId;
        const tooLate = () => settle(id, ({ reject }) => reject(new Error('the disk did not answer in time')));
        pending.set(id, { resolve, reject, deadline: setTimeout(tooLate, ANSWER_WITHIN_MS) });
        worker.postMessage({ id, ...call } satisfies Request, handedOver(call));
      }),
    async close() {
      worker.ref();
      worker.postMessage(null satisfies Request);
      await ended;
    },
  };
}

/** The store of a server, in `DATA_DIR/sign-ups.sqlite`, written by a thread that commits for several at once. */
export function createSqliteStore(directory: string): SignUpStore {
  let thread: ReturnType<typeof startThread> | null = null;
  const started = () => {
    if (thread) return thread;
    const own = startThread(join(directory, FILE), () => {
      // An error is followed by the exit, when the next one may run already.
      if (thread === own) thread = null;
    });
    thread = own;
    return own;
  };
  return storeOver(
    (call) => started().run(call),
    async () => thread?.close(),
  );
}

/** The same file without a thread, for commands: they serve nobody meanwhile. */
export function createDirectSqliteStore(directory: string): SignUpStore {
  const file = createSqliteFile(join(directory, FILE));
  return storeOver(
    async (call) => resultOf(file.run([call])[0] ?? { ok: false, message: 'nothing was run' }),
    async () => file.close(),
  );
}
