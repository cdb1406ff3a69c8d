import { pictureOf } from '../text/pictures.ts';
import { plainText, titleText } from '../text/plain-text.ts';
import type { Picture, Theme } from '../types.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import type { WirePage, WirePicture } from '../wordpress/schemas.ts';
import type { PageHead } from './page-head.ts';
import { type KeptSection, type OnLeftOut, sectionsOf } from './sections.ts';
import { addressOf, canonicalOf, headTagsOf, robotsOf } from './seo-plugin.ts';

/** One page as its source holds it, clean, before strings, form and template are joined to it. */
export interface PageContent {
  isPublic: boolean;
  title: string;
  template: string;
  theme: Theme | null;
  sections: KeptSection[];
  /** Blank where the page has none of its own. */
  description: string;
  metaTitle: string;
  /** For shared links, where an SEO plugin has other words for them; blank where it has not. */
  shareTitle: string;
  shareDescription: string;
  /** Another page that this one is to be found as: a path, or an address elsewhere; `null`: itself. */
  canonical: string | null;
  /** What the editor chose to share the page with. */
  metaImage: Picture | null;
  noindex: boolean;
  /** Content of the robots meta; blank: none. */
  robots: string;
  /** What an SEO plugin says of it in the document's head. */
  head: PageHead;
}

/** Search engines cut there or before; a longer excerpt ends on a word. */
const DESCRIPTION_MAX_LENGTH = 300;

function shortened(text: string): string {
  if (text.length <= DESCRIPTION_MAX_LENGTH) return text;
  return `${text.slice(0, DESCRIPTION_MAX_LENGTH - 1).replace(/\s+\S*$/, '')}…`;
}

export const themeOf = (value: unknown): Theme | null => (value === 'dark' || value === 'light' ? value : null);

/** In characters. An SEO plugin writes 2 to 6 KB; a graph of another order is no page's. */
const SCHEMA_MAX_LENGTH = 50_000;

/**
 * An SEO plugin knows only WordPress' own addresses: those of pages and files become the site's. An address of what is
 * nowhere but in WordPress is `undefined`, and its member is left out.
 */
function withSiteAddresses(value: unknown, rewriter: Rewriter): unknown {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? (addressOf(value, rewriter) ?? undefined) : value;
  if (Array.isArray(value))
    return value.map((item) => withSiteAddresses(item, rewriter)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withSiteAddresses(inner, rewriter)] as const);
  return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
}

function schemaOf(graph: Record<string, unknown>[], page: string, rewriter: Rewriter, warn: Warn) {
  if (JSON.stringify(graph).length > SCHEMA_MAX_LENGTH) {
    warn('content.schema-too-long', { page });
    return [];
  }
  return graph.map((node) => withSiteAddresses(node, rewriter) as Record<string, unknown>);
}

/** Yoast's picture; the page's own measures where it is that and came without any. */
function measured(image: { url: string; width: number; height: number }, own: WirePicture | null): WirePicture {
  return own?.url === image.url ? own : { ...image, alt: '', sizes: null };
}

/**
 * @param path The route's path, by which warnings name the page.
 * @param onLeftOut Told of what its sections have and the page does not show.
 */
export function pageContentOf(
  wire: WirePage,
  path: string,
  rewriter: Rewriter,
  warn: Warn,
  onLeftOut?: OnLeftOut,
): PageContent {
  const { yoast_head_json: yoast, found } = wire;
  const [image] = yoast?.og_image ?? [];
  const shared = found?.picture ?? (image && measured(image, wire.picture)) ?? wire.picture;
  const noindex = (found?.noindex ?? false) || yoast?.robots?.index === 'noindex';
  const sections = wire.sections ?? [{ type: 'rich-text', html: wire.content?.rendered ?? '' }];
  const isKnownTheme = !wire.acf.theme || themeOf(wire.acf.theme);
  if (!isKnownTheme) warn('content.theme-unknown', { page: path, theme: wire.acf.theme });
  return {
    isPublic: wire.status === 'publish' && wire.content?.protected !== true,
    title: titleText(wire.title.rendered),
    template: wire.template ?? '',
    theme: themeOf(wire.acf.theme),
    sections: sectionsOf(sections, path, rewriter, warn, onLeftOut),
    description: shortened(plainText(found?.description || yoast?.description || wire.excerpt?.rendered || '')),
    metaTitle: titleText(found?.title || yoast?.title || ''),
    shareTitle: titleText((found?.share_title ?? found?.title) || yoast?.og_title || ''),
    shareDescription: shortened(
      plainText((found?.share_description ?? found?.description) || yoast?.og_description || ''),
    ),
    canonical: canonicalOf(yoast?.canonical, rewriter),
    metaImage: shared ? pictureOf(shared, rewriter, warn) : null,
    noindex,
    robots: robotsOf(yoast ?? null, noindex),
    head: {
      schema: schemaOf(yoast?.schema?.['@graph'] ?? [], path, rewriter, warn),
      tags: headTagsOf(yoast ?? null, found?.verification ?? {}, rewriter),
    },
  };
}
