import type { Theme } from '@pillion/content/types.ts';

/** Messages from the block editor to the pane. */
export type FromEditor =
  | { pillion: 'draft'; n: number; draft: object }
  | { pillion: 'select'; block: number }
  | { pillion: 'look'; theme: Theme | null; calm: boolean };

const isPlace = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Validates a message. @returns `null` if it is not a valid message of the editor. */
export function fromEditor(data: unknown): FromEditor | null {
  if (typeof data !== 'object' || data === null) return null;
  const { pillion, n, draft, block, theme, calm } = data as Record<string, unknown>;
  if (pillion === 'draft' && isPlace(n) && typeof draft === 'object' && draft !== null) return { pillion, n, draft };
  if (pillion === 'select' && isPlace(block)) return { pillion, block };
  if (pillion !== 'look' || typeof calm !== 'boolean') return null;
  return theme === null || theme === 'dark' || theme === 'light' ? { pillion, theme, calm } : null;
}
