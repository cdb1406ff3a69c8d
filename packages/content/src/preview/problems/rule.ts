import type { LeftOut } from '../../pages/sections.ts';
import type { Palette } from '../../palette.ts';
import type { Page, Problem, Section } from '../../types.ts';
import type { PictureSample } from './samples.ts';

/** What the rules look at: a draft as visitors would get it. */
export interface Looked {
  page: Page;
  /** The block of each of the page's sections. */
  blocks: (number | null)[];
  /** What of the draft is not shown. */
  leftOut: LeftOut[];
  /** As WordPress wrote it: the block of each section, and the editor's own description; blank where they wrote none. */
  written: { blocks: (number | null)[]; description: string };
  palette: Palette;
  /** How the pictures under words look, by their `src`: of those that could be had. */
  samples: ReadonlyMap<string, PictureSample>;
  /** Whether a path of this site leads to a page. */
  leads: (path: string) => boolean;
}

/** One rule: what it finds wrong. It changes nothing and asks nobody. */
export type Rule = (looked: Looked) => Problem[];

/** Each section with its block. */
export const sectionsIn = ({
  page,
  blocks,
}: Pick<Looked, 'page' | 'blocks'>): { section: Section; block: number | null }[] =>
  page.sections.map((section, index) => ({ section, block: blocks[index] ?? null }));
