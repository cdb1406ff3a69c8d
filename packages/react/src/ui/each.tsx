import { Fragment, type ReactNode } from 'react';

/**
 * Draws a list of content. Such a list changes only as a whole, with its page, so an item's place is its identity and
 * nothing in it needs a key of its own.
 */
export const each = <Item,>(items: readonly Item[], draw: (item: Item) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above.
  items.map((item, index) => <Fragment key={index}>{draw(item)}</Fragment>);
