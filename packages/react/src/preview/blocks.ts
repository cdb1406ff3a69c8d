import type { Section } from '@pillion/content/types.ts';
import { elementsOf, type Fragments } from './section-elements.ts';

interface ShownPage {
  sections: readonly Section[];
  /** For each section, the index of its first top-level block; `null` if it has no block. */
  blocks: readonly (number | null)[];
  fragments: Fragments;
}

/** For a page of text only, WordPress reports no sections: its one section starts with block 0. */
const firstBlocksOf = ({ sections, blocks }: ShownPage): ShownPage['blocks'] =>
  sections.length === 1 && sections[0]?.type === 'rich-text' ? [blocks[0] ?? 0] : blocks;

/** The elements of a rich-text section, one for each block; empty for other sections. */
function blockElementsOf({ type }: Section, element: Element | null): Element[] {
  return type === 'rich-text' && element ? [...element.children] : [];
}

/** Number of blocks from a section to the next one that has a block; infinite for the last section. */
function blockCountOf(sectionIndex: number, blocks: ShownPage['blocks']): number {
  const first = blocks[sectionIndex] ?? null;
  const next = blocks.find((block, index) => index > sectionIndex && block !== null && block !== first) ?? null;
  return first === null || next === null ? Number.POSITIVE_INFINITY : next - first;
}

/** @returns The element that shows a block; `null` if there is no such element. */
export function elementOf(block: number, shown: ShownPage): Element | null {
  const blocks = firstBlocksOf(shown);
  const startsSection = blocks.includes(block);
  const sectionIndex = startsSection
    ? blocks.indexOf(block)
    : blocks.findLastIndex((first) => first !== null && first <= block);
  const section = shown.sections[sectionIndex];
  if (!section) return null;
  const [element = null] = elementsOf(section, shown.fragments);
  const blockElements = blockElementsOf(section, element);
  // Consecutive ordinary blocks form one section, with one element per block.
  if (blockElements.length > 1 && blockCountOf(sectionIndex, blocks) > 1)
    return blockElements[block - (blocks[sectionIndex] ?? 0)] ?? element;
  return startsSection ? element : null;
}

/** @returns The block of a clicked element; `null` if it belongs to no block. */
export function blockAt(target: Element, shown: ShownPage): number | null {
  const blocks = firstBlocksOf(shown);
  const sectionIndex = shown.sections.findIndex((section) =>
    elementsOf(section, shown.fragments).some((element) => element.contains(target)),
  );
  const section = shown.sections[sectionIndex];
  const first = blocks[sectionIndex] ?? null;
  if (!section || first === null) return null;
  const [element = null] = elementsOf(section, shown.fragments);
  const offset = blockElementsOf(section, element).findIndex((blockElement) => blockElement.contains(target));
  // One block may render several elements, and a click between the elements is in none of them.
  return first + Math.min(Math.max(offset, 0), blockCountOf(sectionIndex, blocks) - 1);
}
