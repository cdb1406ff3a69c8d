import { Children, type ReactNode } from 'react';

/**
 * Draws a list of content. Such a list changes only as a whole, with its page, so an item's place is its identity and
 * needs no key of its own.
 */
export const each = <Item>(items: readonly Item[], draw: (item: Item, index: number) => ReactNode): ReactNode =>
  Children.toArray(items.map(draw));
