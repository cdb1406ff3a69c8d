import { AsyncLocalStorage } from 'node:async_hooks';
import type { Validity } from './stale-store.ts';

/** A value that was read. `check` says whether reading it again would give the same. */
export interface Read {
  /** Cache tag of the value (`Cache-Tag`); absent if nothing purges by it. */
  tag?: string;
  check: () => Validity;
  /** Fetches the value again in the background. */
  renew: () => void;
}

/** All values read while an output was made. */
export interface Reads {
  reads: Read[];
  /** Expires at (epoch milliseconds): the output would be different from then on. */
  until: number;
}

const recording = new AsyncLocalStorage<Reads>();

/**
 * Runs `work` and records all that it reads, at any depth, so that callers need not list their dependencies.
 * @throws The error of `work`.
 */
export async function recordReads<T>(work: () => Promise<T>): Promise<Reads & { value: T }> {
  const reads: Reads = { reads: [], until: Number.POSITIVE_INFINITY };
  const value = await recording.run(reads, work);
  return { ...reads, value };
}

/** @returns Tags of all values read in the current recording; empty if nothing records. */
export const recordedTags = (): string[] => recording.getStore()?.reads.flatMap(({ tag }) => tag ?? []) ?? [];

/** Records a read, if a recording is active. */
export const recordRead = (read: () => Read): void => void recording.getStore()?.reads.push(read());

/** Records when the current output expires. @param at Epoch milliseconds. */
export function recordExpiry(at: number): void {
  const reads = recording.getStore();
  if (reads) reads.until = Math.min(reads.until, at);
}
