/** Items of a section as inner blocks, which WordPress can move, copy and remove. */
import { Add, el } from './kit.ts';

const { Fragment } = wp.element;
const { useSelect, useDispatch } = wp.data;
const { useInnerBlocksProps } = wp.blockEditor;

interface ItemsProps {
  block: { clientId: string };
  /** Block name of the items. */
  name: string;
  className: string;
  /** Direction in which WordPress' buttons move the items. Default: vertical. */
  orientation?: 'horizontal';
  /** Number of items in a new section. */
  begin: number;
  /** Maximum number of items that the site shows. */
  most?: number;
  /** Label of the button that adds one. */
  label: string;
}

export const Items = ({ block, name, className, orientation, begin, most = Infinity, label }: ItemsProps) => {
  const { insertBlock } = useDispatch('core/block-editor');
  const count = useSelect((select) => select('core/block-editor').getBlockCount(block.clientId), [block.clientId]);
  const innerBlocksProps = useInnerBlocksProps(
    { className },
    { allowedBlocks: [name], template: Array(begin).fill([name]), orientation, renderAppender: false },
  );
  return el(
    Fragment,
    null,
    el('div', innerBlocksProps),
    count < most &&
      el(Add, { label, onClick: () => insertBlock(wp.blocks.createBlock(name), undefined, block.clientId) }),
  );
};
