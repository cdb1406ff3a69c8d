/** The declared blocks in their order, with the section's own editor or the default one. */
import { declared, edits, el } from './kit.ts';
import { Item, Section } from './section.ts';

const { InnerBlocks } = wp.blockEditor;

const editOf = (declaration: Declared) => {
  const Own = edits.get(declaration.name);
  const Drawn = Own || (declaration.parent ? Item : Section);
  return (block: SectionBlock) => el(Drawn, { block, declaration });
};

/** All values are attributes; a section's items are inner blocks. */
const register = (declaration: Declared, hasItems: boolean) =>
  wp.blocks.registerBlockType(`pillion/${declaration.name}`, {
    edit: editOf(declaration),
    save: hasItems ? () => el(InnerBlocks.Content) : () => null,
  });

/** After the editor parts of sections have run. */
export function registerBlocks() {
  for (const section of Object.values(declared.sections)) {
    if (section.isOfWordPress) {
      continue;
    }
    const lists = Object.values(section.fields).filter(({ kind }) => kind === 'list');
    register(section, lists.length > 0);
    for (const { of } of lists) {
      register(declared.items[of], false);
    }
  }
}
