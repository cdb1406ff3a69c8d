import type { Section } from '@pillion/content/types.ts';
import { elementsOf, type Fragments } from './section-elements.ts';

interface Shown {
  sections: readonly Section[];
  /** For each section, the index of its first top-level block; `null` if it has no block. */
  blocks: readonly (number | null)[];
  fragments: Fragments;
}

/** A page of text only starts with its first block, although WordPress reports no sections for it. */
const blocksOf = ({ sections, blocks }: Shown): Shown['blocks'] =>
  sections.length === 1 && sections[0]?.type === 'rich-text' ? [blocks[0] ?? 0] : blocks;

/** The elements of a rich-text section, one for each block; empty for other sections. */
function partsOf({ type }: Section, element: Element | null): Element[] {
  return type === 'rich-text' && element ? [...element.children] : [];
}

/** Number of blocks from a section to the next one that has a block. */
function reach(place: number, blocks: Shown['blocks']): number {
  const first = blocks[place] ?? null;
  const next = blocks.find((block, at) => at > place && block !== null && block !== first) ?? null;
  return first === null || next === null ? Number.POSITIVE_INFINITY : next - first;
}

/** @returns The element that shows a block; `null` if there is no such element. */
export function elementOf(block: number, shown: Shown): Element | null {
  const blocks = blocksOf(shown);
  const isFirst = blocks.includes(block);
  const place = isFirst ? blocks.indexOf(block) : blocks.findLastIndex((first) => first !== null && first <= block);
  const section = shown.sections[place];
  if (!section) return null;
  const [element = null] = elementsOf(section, shown.fragments);
  const parts = partsOf(section, element);
  // Consecutive ordinary blocks form one section, with one element per block.
  if (parts.length > 1 && reach(place, blocks) > 1) return parts[block - (blocks[place] ?? 0)] ?? element;
  return isFirst ? element : null;
}

/** @returns The block of a clicked element; `null` if it belongs to no block. */
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
