import type { Page } from './types.ts';

/** Attribute of the link to a video, with the address of its player. Only the sanitizer sets it. */
export const EMBED = 'data-embed';

/** Hosts of the players of `videoAt`. */
export const PLAYER_HOSTS = 'https://www.youtube-nocookie.com https://player.vimeo.com';

/** Whether a page has a video of another site, which only a document with `embedHeadersFor` can play. */
export const hasEmbed = ({ sections }: Page): boolean => JSON.stringify(sections).includes(` ${EMBED}=`);
