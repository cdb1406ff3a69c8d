import { hash } from 'node:crypto';
import { recordedTags } from '@pillion/content/cache/reads.ts';
import { mediaFamily } from '@pillion/lib/media-types.ts';

/** On every tagged response, so that one purge removes the whole site from a CDN that also serves other sites. */
export const EVERYTHING = 'pillion';

/** On share pictures. Any upload may be part of one. */
export const SHARE = 'share';

/** @param name From `mediaName`. A picture and all its sizes have one tag, hashed because names may be long. */
export const mediaTag = (name: string): string =>
  `media:${hash('sha256', mediaFamily(name), 'base64url').slice(0, 10)}`;

/** Adds the site's prefix: other sites at the same CDN may have a tag `menus` too. */
const addPrefix = (tag: string) => (tag === EVERYTHING ? tag : `${EVERYTHING}-${tag}`);

/** @returns The tags with prefix, without duplicates. */
export const prefixTags = (tags: readonly string[]): string[] => [...new Set(tags)].map(addPrefix);

/** `Cache-Tag` headers, as Cloudflare, Bunny and Akamai read them. Empty without a configured CDN. */
export function createTagHeaders(isTagging: boolean) {
  const tagHeaders = (tags: readonly string[]): Record<string, string> =>
    isTagging ? { 'cache-tag': prefixTags([EVERYTHING, ...tags]).join(',') } : {};
  return {
    tagHeaders,
    /** Tags of the content that the current response was made of. */
    headersOfReads: () => tagHeaders(recordedTags()),
  };
}

export type Tagging = ReturnType<typeof createTagHeaders>;
