/** Makes the blocks, in the order they are declared: of an editor part where a section has one, else of its declaration. */
{
  const wp = window.wp;
  const { InnerBlocks } = wp.blockEditor;
  const { el, declared, edits, Section, Item } = window.pillionSections;

  const editOf = (declaration) => {
    const Own = edits.get(declaration.name);
    const Drawn = Own || (declaration.parent ? Item : Section);
    return (block) => el(Drawn, { block, declaration });
  };

  /** Everything lives in attributes; a section of items keeps those as inner blocks. */
  const register = (declaration, hasItems) =>
    wp.blocks.registerBlockType(`pillion/${declaration.name}`, {
      edit: editOf(declaration),
      save: hasItems ? () => el(InnerBlocks.Content) : () => null,
    });

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
