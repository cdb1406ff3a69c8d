import type { Theme } from '@pillion/content/types.ts';

/** What the block editor says to its pane. */
export type FromEditor =
  | { pillion: 'draft'; n: number; draft: object }
  | { pillion: 'select'; block: number }
  | { pillion: 'look'; theme: Theme | null; calm: boolean };

const isPlace = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** @returns `null` where it is no message of the editor's, or a broken one. */
export function fromEditor(data: unknown): FromEditor | null {
  if (typeof data !== 'object' || data === null) return null;
  const { pillion, n, draft, block, theme, calm } = data as Record<string, unknown>;
  if (pillion === 'draft' && isPlace(n) && typeof draft === 'object' && draft !== null) return { pillion, n, draft };
  if (pillion === 'select' && isPlace(block)) return { pillion, block };
  if (pillion !== 'look' || typeof calm !== 'boolean') return null;
  return theme === null || theme === 'dark' || theme === 'light' ? { pillion, theme, calm } : null;
}
