import { Fragment, type ReactNode } from 'react';

/** Renders a list of content. Such a list changes only with its page, so the index of an item is a stable key. */
export const each = <Item,>(items: readonly Item[], render: (item: Item) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: see above.
  items.map((item, index) => <Fragment key={index}>{render(item)}</Fragment>);
