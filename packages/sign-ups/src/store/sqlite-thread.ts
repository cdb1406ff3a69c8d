// SQLite's thread: an fsync, or reading 10 MB, blocks a thread, and must not block the one that renders pages.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { type Call, createSqliteFile, type Outcome } from './sqlite-file.ts';
import type { QueuedRow } from './store.ts';

/** A numbered call and its result with the same number; `null` ends the thread. */
export type Request = ({ id: number } & Call) | null;
export type Answer = { id: number } & Outcome;

/** Maximum calls in one commit, so that no visitor waits long during a peak. */
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

/** Takes the messages that arrived during the last commit. */
function drain(): void {
  for (let mail = receiveMessageOnPort(port); mail; mail = receiveMessageOnPort(port)) take(mail.message);
}

const payloadOf = (value: unknown) =>
  value instanceof Uint8Array ? value : ((value as Partial<QueuedRow> | null)?.payload ?? null);

/** Payloads to transfer instead of copying. */
const payloadsIn = (outcome: Outcome): ArrayBuffer[] =>
  ownBuffers([outcome.ok ? outcome.value : null].flat().map(payloadOf));

function commit(): void {
  isScheduled = false;
  drain();
  const batch = waiting.splice(0, LARGEST_BATCH);
  const outcomes = batch.length > 0 ? file.run(batch.map(({ id: _id, ...call }) => call)) : [];
  const answers = batch.map(({ id }, index) => ({ id, ...outcomes[index] }) as Answer);
  port.postMessage(answers, outcomes.flatMap(payloadsIn));
  if (waiting.length > 0) schedule();
  else if (isClosing) end();
}

/** Calls that arrive during a commit share the next one. A deliberate wait for more only costs time (see the bench). */
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
