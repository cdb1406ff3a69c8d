import type { SocialNetwork } from '@pillion/content/types.ts';
import sprite from './icons.svg?no-inline';

/**
 * A network's icon. It has no accessible name; the link around it has one. The icons are in a separate file: as
 * components they would add 1 KB of script and 1 KB of HTML to every page.
 */
export const Icon = ({ network }: { network: SocialNetwork }) => (
  <svg fill="currentColor" aria-hidden="true">
    <use href={`${sprite}#${network}`} />
  </svg>
);
