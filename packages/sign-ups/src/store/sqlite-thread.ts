// SQLite's thread: an fsync, or reading 10 MB, blocks a thread, and must not block the one that renders pages.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { type Call, createSqliteFile, type Outcome } from './sqlite-file.ts';
import type { QueuedRow } from './store.ts';

/** A numbered call and its result with the same number; `null` ends the thread. */
export type Request = ({ id: number } & Call) | null;
export type Reply = { id: number } & Outcome;

/** Maximum calls in one commit, so that no visitor waits long during a peak. */
const MAX_BATCH_SIZE = 256;

if (!parentPort) throw new Error('this is the program of a thread');
const port: MessagePort = parentPort;
const file = createSqliteFile(workerData as string);
const waiting: NonNullable<Request>[] = [];
let isClosing = false;
let isScheduled = false;

function enqueue(request: Request): void {
  if (request === null) isClosing = true;
  else waiting.push(request);
}

/** Takes the messages that arrived during the last commit. */
function receiveWaiting(): void {
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port))
    enqueue(received.message);
}

const payloadOf = (value: unknown) =>
  value instanceof Uint8Array ? value : ((value as Partial<QueuedRow> | null)?.payload ?? null);

/** Payloads to transfer instead of copying. */
const transferListOf = (outcome: Outcome): ArrayBuffer[] =>
  ownBuffers([outcome.ok ? outcome.value : null].flat().map(payloadOf));

function commitBatch(): void {
  isScheduled = false;
  receiveWaiting();
  const batch = waiting.splice(0, MAX_BATCH_SIZE);
  const outcomes = batch.length > 0 ? file.run(batch.map(({ id: _id, ...call }) => call)) : [];
  const replies = batch.map(({ id }, index) => ({ id, ...outcomes[index] }) as Reply);
  port.postMessage(replies, outcomes.flatMap(transferListOf));
  if (waiting.length > 0) scheduleCommit();
  else if (isClosing) {
    file.close();
    port.close();
  }
}

/** Calls that arrive during a commit share the next one. A deliberate wait for more only costs time (see the bench). */
function scheduleCommit(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(commitBatch);
}

port.on('message', (request: Request) => {
  enqueue(request);
  scheduleCommit();
});
