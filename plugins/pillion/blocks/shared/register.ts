/** The declared blocks in their order, with the section's own editor or the default one. */
import { declared, edits, el } from './kit.ts';
import { Item, Section } from './section.ts';

const { InnerBlocks } = wp.blockEditor;

const editorOf = (declaration: Declared) => {
  const Editor = edits.get(declaration.name) || (declaration.parent ? Item : Section);
  return (block: SectionBlock) => el(Editor, { block, declaration });
};

/** All values are attributes; a section's items are inner blocks. */
const registerBlock = (declaration: Declared, hasItems: boolean) =>
  wp.blocks.registerBlockType(`pillion/${declaration.name}`, {
    edit: editorOf(declaration),
    save: hasItems ? () => el(InnerBlocks.Content) : () => null,
  });

/** After the editor parts of sections have run. */
export function registerBlocks() {
  for (const section of Object.values(declared.sections)) {
    if (section.isOfWordPress) {
      continue;
    }
    const listFields = Object.values(section.fields).filter(({ kind }) => kind === 'list');
    registerBlock(section, listFields.length > 0);
    for (const { of } of listFields) {
      registerBlock(declared.items[of], false);
    }
  }
}
