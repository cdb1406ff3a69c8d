/** Items of a section as inner blocks, which WordPress can move, copy and remove. */
{
  const wp = window.wp;
  const { Fragment } = wp.element;
  const { useSelect, useDispatch } = wp.data;
  const { useInnerBlocksProps } = wp.blockEditor;
  const { el, Add } = window.pillionSections;

  /**
   * @param {object} props
   * @param {{ clientId: string }} props.block
   * @param {string} props.name Block name of the items.
   * @param {string} props.className
   * @param {string} props.orientation
   * @param {number} props.begin Number of items in a new section.
   * @param {number} [props.most] Maximum number of items that the site shows.
   * @param {string} props.label Of the button that adds one.
   */
  const Items = ({ block, name, className, orientation, begin, most = Infinity, label }) => {
    const { insertBlock } = useDispatch('core/block-editor');
    const count = useSelect((select) => select('core/block-editor').getBlockCount(block.clientId), [block.clientId]);
    const row = useInnerBlocksProps(
      { className },
      { allowedBlocks: [name], template: Array(begin).fill([name]), orientation, renderAppender: false },
    );
    return el(
      Fragment,
      null,
      el('div', row),
      count < most &&
        el(Add, { label, onClick: () => insertBlock(wp.blocks.createBlock(name), undefined, block.clientId) }),
    );
  };

  Object.assign(window.pillionSections, { Items });
}
