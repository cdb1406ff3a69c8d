import { plainText } from '../text/plain-text.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import type { WireYoast } from '../wordpress/schemas.ts';
import { type HeadTag, SiteAddress } from './page-head.ts';

/** A directive of the robots meta tag, such as `max-snippet:50` (Google, "Robots meta tag"). */
const DIRECTIVE = /^[a-z-]{1,40}(:[\w-]{1,40})?$/i;

/** Largest number of tags of a kind, for keywords pasted into one field. */
const MAX_TAGS_PER_KIND = 20;

/** In characters. Networks show fewer. */
const MAX_TAG_LENGTH = 500;

/**
 * @param isHidden Whether the editor excludes the page from search engines in Pillion's panel.
 * @returns Content of the robots meta tag; empty: no tag.
 */
export function robotsOf(yoast: WireYoast | null, isHidden: boolean): string {
  const directives = Object.values(yoast?.robots ?? {}).flatMap((word) =>
    typeof word === 'string' && DIRECTIVE.test(word) ? word.toLowerCase() : [],
  );
  // Same as WordPress' head: search results show no large picture of the page either.
  if (directives.includes('noimageindex') && !directives.some((word) => word.startsWith('max-image-preview:')))
    directives.push('max-image-preview:none');
  if (!isHidden || directives.includes('noindex')) return directives.join(', ');
  return ['noindex', ...directives.filter((word) => word !== 'index')].join(', ');
}

/** Returns the canonical address if the page is a copy: a path, or an address of another site; `null`: itself. */
export function canonicalOf(address: string | undefined, rewriter: Rewriter): string | null {
  const rewritten = address ? rewriteAddress(address, rewriter) : null;
  return rewritten instanceof SiteAddress ? rewritten.path : rewritten;
}

/** Returns an address for the head; `null` for one that exists only in WordPress, where visitors must not be sent. */
export function rewriteAddress(value: string, rewriter: Rewriter): string | SiteAddress | null {
  const link = rewriter.link(value);
  if (link?.startsWith('/')) return new SiteAddress(link);
  return link !== null && /^https?:/.test(link) && !rewriter.isOurs(link) ? link : null;
}

/** @returns The texts of a member: PHP sends one as a string and several as a list. */
const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((one): one is string | number => typeof one === 'string' || typeof one === 'number')
    .map((one) => plainText(String(one)).slice(0, MAX_TAG_LENGTH))
    .filter((one) => one !== '')
    .slice(0, MAX_TAGS_PER_KIND);

type ValueKind = 'text' | 'address' | 'picture';

/** Members of `yoast_head_json` that are used unchanged, in Yoast's order. */
const COPIED_TAGS: readonly (readonly [string, HeadTag['key'], string, ValueKind])[] = [
  ['author', 'name', 'author', 'text'],
  ['og_locale', 'property', 'og:locale', 'text'],
  ['og_type', 'property', 'og:type', 'text'],
  ['og_site_name', 'property', 'og:site_name', 'text'],
  ['article_publisher', 'property', 'article:publisher', 'address'],
  ['article_author', 'property', 'article:author', 'address'],
  ['article_section', 'property', 'article:section', 'text'],
  ['article_tag', 'property', 'article:tag', 'text'],
  ['article_published_time', 'property', 'article:published_time', 'text'],
  ['article_modified_time', 'property', 'article:modified_time', 'text'],
  ['article_expiration_time', 'property', 'article:expiration_time', 'text'],
  ['twitter_card', 'name', 'twitter:card', 'text'],
  ['twitter_title', 'name', 'twitter:title', 'text'],
  ['twitter_description', 'name', 'twitter:description', 'text'],
  ['twitter_image', 'name', 'twitter:image', 'picture'],
  ['twitter_creator', 'name', 'twitter:creator', 'text'],
  ['twitter_site', 'name', 'twitter:site', 'text'],
];

/** Returns the content of a tag; `null` for an address that exists only in WordPress. */
function contentOf(text: string, kind: ValueKind, rewriter: Rewriter): HeadTag['content'] | null {
  if (kind === 'text') return text;
  if (kind === 'address') return rewriteAddress(text, rewriter);
  const media = rewriter.media(text);
  if (media !== null) return new SiteAddress(media);
  return rewriter.isOurs(text) ? null : rewriteAddress(text, rewriter);
}

/** Tags for "Written by" and the reading time, which Slack and others show next to a link. */
const labelTags = (misc: Record<string, unknown>): HeadTag[] =>
  Object.entries(misc)
    .slice(0, 2)
    .flatMap(([label, value], index) => {
      const [text] = textsOf(value);
      if (text === undefined) return [];
      return [
        { key: 'name' as const, name: `twitter:label${index + 1}`, content: plainText(label) },
        { key: 'name' as const, name: `twitter:data${index + 1}`, content: text },
      ];
    });

/**
 * Returns an SEO plugin's tags for which `PageContent` has no other member, with addresses of this site.
 * @param verification Codes of search engines, by the name of the tag.
 */
export function headTagsOf(
  yoast: WireYoast | null,
  verification: Record<string, string>,
  rewriter: Rewriter,
): HeadTag[] {
  const copied = COPIED_TAGS.flatMap(([member, key, name, kind]) =>
    textsOf(yoast?.[member]).flatMap((text) => {
      const content = contentOf(text, kind, rewriter);
      return content === null ? [] : { key, name, content };
    }),
  );
  const codes = Object.entries(verification).map(([name, content]) => ({ key: 'name' as const, name, content }));
  return [...copied, ...labelTags(yoast?.twitter_misc ?? {}), ...codes];
}
