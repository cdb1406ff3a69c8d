import { createHash } from 'node:crypto';
import { tagsRead } from '@pillion/content/cache/reads.ts';
import { mediaFamily } from '@pillion/lib/media-types.ts';

/** On every answer that has tags, so that all of this site can be purged of a CDN that serves other sites too. */
export const EVERYTHING = 'pillion';

/** On pictures for shared links: each may have been drawn of any upload. */
export const SHARE = 'share';

/** @param name As `mediaName` gives it: a picture and all its sizes have one tag. Hashed, since names may be long. */
export const mediaTag = (name: string): string =>
  `media:${createHash('sha256').update(mediaFamily(name)).digest('base64url').slice(0, 10)}`;

/** What all of this site's tags begin with at a CDN: others may have menus too. */
const named = (tag: string) => (tag === EVERYTHING ? tag : `${EVERYTHING}-${tag}`);

/** @returns Tags as a CDN knows them, each once. */
export const namedTags = (tags: readonly string[]): string[] => [...new Set(tags)].map(named);

/** `Cache-Tag`, as Cloudflare, Bunny and Akamai read it, where a CDN is told what to purge; nothing where none is. */
export function createTagHeaders(isTagging: boolean) {
  const of = (tags: readonly string[]): Record<string, string> =>
    isTagging ? { 'cache-tag': namedTags([EVERYTHING, ...tags]).join(',') } : {};
  return {
    of,
    /** By what was read for what is being made. */
    ofReads: () => of(tagsRead()),
  };
}

export type Tagging = ReturnType<typeof createTagHeaders>;
