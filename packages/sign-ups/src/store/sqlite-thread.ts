// A thread for SQLite: an fsync, or 10 MB that are read, hold up a whole thread, and here nobody who waits for a page.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { type Call, createSqliteFile, type Outcome } from './sqlite-file.ts';
import type { StoredSignUp } from './store.ts';

/** A call by its number, and its outcome by the same one; `null` asks for the end. */
export type Request = ({ id: number } & Call) | null;
export type Answer = { id: number } & Outcome;

/** Calls in one commit at most, so that nobody waits long for a crowd. */
const LARGEST_BATCH = 256;

if (!parentPort) throw new Error('this is the program of a thread');
const port: MessagePort = parentPort;
const file = createSqliteFile(workerData as string);
const waiting: NonNullable<Request>[] = [];
let isClosing = false;
let isScheduled = false;

function take(request: Request): void {
  if (request === null) isClosing = true;
  else waiting.push(request);
}

/** Takes what already lies in the mailbox: it came while the last commit was on its way to the disk. */
function drain(): void {
  for (let mail = receiveMessageOnPort(port); mail; mail = receiveMessageOnPort(port)) take(mail.message);
}

const payloadOf = (value: unknown) =>
  value instanceof Uint8Array ? value : ((value as Partial<StoredSignUp> | null)?.payload ?? null);

/** What is sealed goes over uncopied, alone or with its row. */
const payloadsIn = (outcome: Outcome): ArrayBuffer[] =>
  ownBuffers([outcome.ok ? outcome.value : null].flat().map(payloadOf));

function commit(): void {
  isScheduled = false;
  drain();
  const batch = waiting.splice(0, LARGEST_BATCH);
  const outcomes = batch.length > 0 ? file.run(batch.map(({ name, given }) => ({ name, given }))) : [];
  const answers = batch.map(({ id }, index) => ({ id, ...outcomes[index] }) as Answer);
  port.postMessage(answers, outcomes.flatMap(payloadsIn));
  if (waiting.length > 0) schedule();
  else if (isClosing) end();
}

/** What comes while one commit is on its way shares the next: to wait for more on purpose only costs (see the bench). */
function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(commit);
}

function end(): void {
  file.close();
  port.close();
}

port.on('message', (request: Request) => {
  take(request);
  schedule();
});
