import type { Section } from '@pillion/content/types.ts';
import { elementsOf, type Fragments } from './section-elements.ts';

interface Shown {
  sections: readonly Section[];
  /** For each section the top-level block it comes from, or begins with; `null`: it comes from none. */
  blocks: readonly (number | null)[];
  fragments: Fragments;
}

/** A page that is text alone is made of its blocks from the first on, though WordPress speaks of no sections there. */
const blocksOf = ({ sections, blocks }: Shown): Shown['blocks'] =>
  sections.length === 1 && sections[0]?.type === 'rich-text' ? [blocks[0] ?? 0] : blocks;

/** Parts of running text that come from blocks of their own; of any other section there is one, itself. */
function partsOf({ type }: Section, element: Element | null): Element[] {
  return type === 'rich-text' && element ? [...element.children] : [];
}

/** How many blocks lie between a section and the next one that comes from a block. */
function reach(place: number, blocks: Shown['blocks']): number {
  const first = blocks[place];
  const next = blocks.slice(place + 1).find((block) => block !== null && block !== first);
  return first === null || first === undefined || next === null || next === undefined
    ? Number.POSITIVE_INFINITY
    : next - first;
}

/** The element that shows a block; `null` where nothing does. */
export function elementOf(block: number, shown: Shown): Element | null {
  const blocks = blocksOf(shown);
  const exact = blocks.indexOf(block);
  const before = blocks.findLastIndex((from) => from !== null && from <= block);
  const place = exact >= 0 ? exact : before;
  const section = shown.sections[place];
  if (!section) return null;
  const [element = null] = elementsOf(section, shown.fragments);
  const parts = partsOf(section, element);
  const part = parts[block - (blocks[place] ?? 0)];
  // Ordinary blocks in a row are one section, whose blocks stand in it one after the other.
  if (parts.length > 1 && reach(place, blocks) > 1) return part ?? element;
  return exact >= 0 ? element : null;
}

/** The block that what was clicked comes from; `null` where it comes from none. */
export function blockAt(target: Element, shown: Shown): number | null {
  const blocks = blocksOf(shown);
  const place = shown.sections.findIndex((section) =>
    elementsOf(section, shown.fragments).some((element) => element.contains(target)),
  );
  const section = shown.sections[place];
  const first = blocks[place] ?? null;
  if (!section || first === null) return null;
  const [element = null] = elementsOf(section, shown.fragments);
  const part = partsOf(section, element).findIndex((element) => element.contains(target));
  return first + Math.min(Math.max(part, 0), reach(place, blocks) - 1);
}
