/** Registers the declared blocks in their order, with the section's own editor or the default one. */
{
  const wp = window.wp;
  const { InnerBlocks } = wp.blockEditor;
  const { el, declared, edits, Section, Item } = window.pillionSections;

  /** @param {Declared} declaration */
  const editOf = (declaration) => {
    const Own = edits.get(declaration.name);
    const Drawn = Own || (declaration.parent ? Item : Section);
    return (/** @type {SectionBlock} */ block) => el(Drawn, { block, declaration });
  };

  /**
   * All values are attributes; a section's items are inner blocks.
   * @param {Declared} declaration @param {boolean} hasItems
   */
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
