import { decodeEntities } from '../../text/plain-text.ts';
import type { Problem } from '../../types.ts';
import { type CheckedDraft, type Rule, sectionsIn } from './rule.ts';

/** Matches links in the sanitizer's output. */
const LINK = /<a\b[^>]* href="([^"]*)"/g;

/** Paths without a route that the server answers itself. Files are not checked. */
const SERVER_PATH = /^\/(?:media|assets|api)\/|^\/(?:[a-z]{2,3}(?:-[a-z\d]+)*\/)?search\/?$|\.[a-z\d]{2,5}$/i;

function isDead(address: string, { pathExists }: CheckedDraft): boolean {
  if (!address.startsWith('/')) return false;
  const path = address.replace(/[?#].*/s, '');
  return !SERVER_PATH.test(path) && !pathExists(path);
}

/** A link in rich text to a page of this site that does not exist. Links to other sites are not checked. */
export const deadLinks: Rule = (draft) =>
  sectionsIn(draft).flatMap(({ section, block }): Problem[] => {
    if (section.type !== 'rich-text') return [];
    const addresses = new Set([...section.html.matchAll(LINK)].map(([, href = '']) => decodeEntities(href)));
    return [...addresses]
      .filter((address) => isDead(address, draft))
      .map((url) => ({ block, kind: 'link-dead', values: { url } }));
  });
