import type { Link } from '@pillion/content/types.ts';

/** Attributes for an `<a>`. A new tab gets no reference to this one. */
export const linkProps = ({ url, target }: Link) =>
  target === '_blank' ? { href: url, target, rel: 'noopener' } : { href: url };
