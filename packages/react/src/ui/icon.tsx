import type { SocialNetwork } from '@pillion/content/types.ts';
import sprite from './icons.svg?no-inline';

/**
 * A network's mark. It says nothing by itself: the link around it has the name. The marks lie in a file of their own:
 * as components they were a kilobyte of script and another of HTML on every page.
 */
export const Icon = ({ network }: { network: SocialNetwork }) => (
  <svg fill="currentColor" aria-hidden="true">
    <use href={`${sprite}#${network}`} />
  </svg>
);
