import { AsyncLocalStorage } from 'node:async_hooks';
import type { Judgement } from './stale-store.ts';

/** One thing that was read, of which can be told later whether reading it again would give the same. */
export interface Read {
  /** Short name of what it was, for whoever keeps what was made of it (`Cache-Tag`); absent where nobody purges by it. */
  tag?: string;
  judge: () => Judgement;
  /** Has it fetched again, behind everybody's back. */
  renew: () => void;
}

/** What was read while something was made. */
export interface Reads {
  reads: Read[];
  /** The time by which something else would have been made, in epoch milliseconds. */
  until: number;
}

const recording = new AsyncLocalStorage<Reads>();

/**
 * Runs `work` and notes what it reads, however deep: whoever makes something names nothing that it was made of.
 * @throws What the work throws.
 */
export async function recordReads<T>(work: () => Promise<T>): Promise<Reads & { value: T }> {
  const noted: Reads = { reads: [], until: Number.POSITIVE_INFINITY };
  const value = await recording.run(noted, work);
  return { ...noted, value };
}

/** @returns Tags of what has been read so far for what is being made; none where nothing records. */
export const tagsRead = (): string[] => recording.getStore()?.reads.flatMap(({ tag }) => tag ?? []) ?? [];

/** Notes that something was read, where anybody wants to know. */
export const noteRead = (read: () => Read): void => void recording.getStore()?.reads.push(read());

/** Notes that what is made now would be another from a moment on. @param at Epoch milliseconds. */
export function noteUntil(at: number): void {
  const noted = recording.getStore();
  if (noted) noted.until = Math.min(noted.until, at);
}
