import type { Problem } from '../../types.ts';
import { type Looked, type Rule, sectionsIn } from './rule.ts';

/** As the sanitiser writes it. */
const LINK = /<a\b[^>]* href="([^"]*)"/g;

/** Paths that no route names: the site answers them itself. Files are looked for when they are asked for. */
const OWN = /^\/(?:media|assets|api)\/|^\/(?:[a-z]{2,3}(?:-[a-z\d]+)*\/)?search\/?$|\.[a-z\d]{2,5}$/i;

const unescaped = (text: string) =>
  text
    .replace(/&amp;/g, '&')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"');

function isDead(address: string, { leads }: Looked): boolean {
  if (!address.startsWith('/')) return false;
  const path = address.replace(/[?#].*/s, '');
  return !OWN.test(path) && !leads(path);
}

/** A link of the text that leads to no page of this site. What lies elsewhere is not asked. */
export const deadLinks: Rule = (looked) =>
  sectionsIn(looked).flatMap(({ section, block }): Problem[] => {
    if (section.type !== 'rich-text') return [];
    const addresses = new Set([...section.html.matchAll(LINK)].map(([, href = '']) => unescaped(href)));
    return [...addresses]
      .filter((address) => isDead(address, looked))
      .map((url) => ({ block, kind: 'link-dead', values: { url } }));
  });
