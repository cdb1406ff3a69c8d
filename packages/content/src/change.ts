import { z } from 'zod';

/** One change in WordPress. */
export interface Change {
  /** `menu`, `strings`, `form`, a post type; anything else may have changed everything. */
  type: string;
  id: number | string | null;
  /** Its path on the site. */
  path: string | null;
  /** `publish`, or the status that took it off the site. */
  status: string | null;
}

/** A change that may have been one of anything. */
export const ANYTHING: Change = { type: 'anything', id: null, path: null, status: null };

const sentSchema = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  type: z.string().max(100).catch(ANYTHING.type),
  path: z.string().startsWith('/').max(2_000).nullish().catch(null),
  status: z.string().nullish().catch(null),
});

/**
 * Reads a change as it was sent. A type nobody here knows may have changed anything.
 * @returns `null` where it is none.
 */
export function changeFrom(sent: unknown): Change | null {
  const read = sentSchema.safeParse(sent);
  if (!read.success) return null;
  const { type, id = null, path = null, status = null } = read.data;
  return { type, id, path, status };
}
