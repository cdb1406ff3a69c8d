import { withTimeout } from '@pillion/lib/timeout.ts';
import type { Context } from 'hono';
import { readBody, saysTooLong } from './body.ts';

/** Bytes of large bodies in memory at once: four drafts. */
const BUDGET_BYTES = 8_000_000;

/** Longest time a body may take to arrive, in milliseconds: 2 MB at 1 Mbit/s take 16 s. */
const READ_MS = 20_000;

/** Why a body was not read to its end. */
export type Unread = 'too long' | 'too slow' | 'busy';

export interface BodyBudget {
  /**
   * Reads a body for `use`. Its bytes count until `use` has settled.
   * @param longest In bytes.
   * @returns What `use` returns. `busy`: the budget is spent, and nothing was read.
   */
  withBody: <T>(c: Context, longest: number, use: (body: Buffer) => Promise<T>) => Promise<T | Unread>;
  /** Bytes that are taken now. */
  taken: () => number;
}

/** One budget for the large bodies of all endpoints, so that concurrent requests cannot fill the memory. */
export function createBodyBudget(budgetBytes = BUDGET_BYTES, readMs = READ_MS): BodyBudget {
  let taken = 0;
  return {
    async withBody(c, longest, use) {
      if (saysTooLong(c, longest)) return 'too long';
      const length = c.req.header('content-length');
      const size = length === undefined ? longest : Number(length);
      if (taken + size > budgetBytes) return 'busy';
      taken += size;
      try {
        const body = await withTimeout(readMs, (signal) => readBody(c, longest, signal)).catch(() => undefined);
        if (body === undefined) return 'too slow';
        return body === null ? 'too long' : await use(body);
      } finally {
        taken -= size;
      }
    },
    taken: () => taken,
  };
}
