import { withTimeout } from '@pillion/lib/timeout.ts';
import type { Context } from 'hono';
import { isLengthOverLimit, readBody } from './body.ts';

/** Bytes of large bodies in memory at once: four drafts. */
const BUDGET_BYTES = 8_000_000;

/** Longest time a body may take to arrive, in milliseconds: 2 MB at 1 Mbit/s take 16 s. */
const READ_TIMEOUT_MS = 20_000;

/** Why a body was not read to its end. */
export type UnreadReason = 'too long' | 'too slow' | 'busy';

/** One budget for the large bodies of all endpoints, so that concurrent requests cannot fill the memory. */
export function createBodyBudget(budgetBytes = BUDGET_BYTES, timeoutMs = READ_TIMEOUT_MS) {
  let usedBytes = 0;
  return {
    /**
     * Reads a body for `use`. Its bytes count until `use` has settled.
     * @returns What `use` returns. `busy`: the budget is spent, and nothing was read.
     */
    async withBody<T>(c: Context, maxBytes: number, use: (body: Buffer) => Promise<T>): Promise<T | UnreadReason> {
      if (isLengthOverLimit(c, maxBytes)) return 'too long';
      const length = c.req.header('content-length');
      const size = length === undefined ? maxBytes : Number(length);
      if (usedBytes + size > budgetBytes) return 'busy';
      usedBytes += size;
      try {
        const body = await withTimeout(timeoutMs, (signal) => readBody(c, maxBytes, signal)).catch(() => undefined);
        if (body === undefined) return 'too slow';
        return body === null ? 'too long' : await use(body);
      } finally {
        usedBytes -= size;
      }
    },
    usedBytes: () => usedBytes,
  };
}

export type BodyBudget = ReturnType<typeof createBodyBudget>;
