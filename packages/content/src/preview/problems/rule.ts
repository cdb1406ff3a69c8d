import type { LeftOut } from '../../pages/sections.ts';
import type { Palette } from '../../palette.ts';
import type { Language, Page, Problem, Section } from '../../types.ts';
import type { PictureSample } from './samples.ts';

/** Input of the rules: a draft as visitors would see it. */
export interface CheckedDraft {
  page: Page;
  /** Block of each section of the page. */
  blocks: (number | null)[];
  /** Parts of the draft that are not shown. */
  leftOut: LeftOut[];
  /** From WordPress: the block of each section, and the editor's description (may be empty). */
  written: { blocks: (number | null)[]; description: string };
  palette: Palette;
  /** Direction of the page's language. */
  dir: Language['dir'];
  /** Samples of the pictures under text, by `src`; only of pictures that could be read. */
  samples: ReadonlyMap<string, PictureSample>;
  /** Whether a path leads to a page of this site. */
  pathExists: (path: string) => boolean;
}

/** A rule returns the problems that it finds. It has no side effects. */
export type Rule = (draft: CheckedDraft) => Problem[];

/** Each section with its block. */
export const sectionsIn = ({
  page,
  blocks,
}: Pick<CheckedDraft, 'page' | 'blocks'>): { section: Section; block: number | null }[] =>
  page.sections.map((section, index) => ({ section, block: blocks[index] ?? null }));
