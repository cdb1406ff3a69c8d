import type { Link } from '@pillion/content/types.ts';

/** What an `<a>` needs of a link. A new tab gets no handle on this one. */
export const linkProps = ({ url, target }: Link) =>
  target === '_blank' ? { href: url, target, rel: 'noopener' } : { href: url };
