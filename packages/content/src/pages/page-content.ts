import { pictureOf } from '../text/pictures.ts';
import { cutAtWord, plainText, titleText } from '../text/plain-text.ts';
import type { Picture, Theme } from '../types.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import type { WirePage, WirePicture } from '../wordpress/schemas.ts';
import type { PageHead } from './page-head.ts';
import { type KeptSection, type OnLeftOut, sectionsOf } from './sections.ts';
import { canonicalOf, headTagsOf, rewriteAddress, robotsOf } from './seo-plugin.ts';

/** A page of a source, cleaned, before strings, form and template are added. */
export interface PageContent {
  isPublic: boolean;
  title: string;
  template: string;
  theme: Theme | null;
  sections: KeptSection[];
  /** Empty if the page has no description. */
  description: string;
  metaTitle: string;
  /** Text for shared links from an SEO plugin; empty without one. */
  shareTitle: string;
  shareDescription: string;
  /** Canonical address if this page is a copy: a path, or an address of another site; `null`: itself. */
  canonical: string | null;
  /** Share picture that the editor chose. */
  metaImage: Picture | null;
  noindex: boolean;
  /** Content of the robots meta tag; empty: no tag. */
  robots: string;
  /** Tags of an SEO plugin for the document's head. */
  head: PageHead;
}

/** Search engines show no more. */
const MAX_DESCRIPTION_LENGTH = 300;

const descriptionOf = (html: string) => cutAtWord(plainText(html), MAX_DESCRIPTION_LENGTH);

export const themeOf = (value: unknown): Theme | null => (value === 'dark' || value === 'light' ? value : null);

/** In characters. An SEO plugin writes 2 to 6 KB; a much larger graph is an error. */
const MAX_SCHEMA_LENGTH = 50_000;

/**
 * Replaces WordPress' addresses, the only ones that an SEO plugin knows, with a `SiteAddress`. An address that exists
 * only in WordPress becomes `undefined`, and its member is removed.
 */
function withSiteAddresses(value: unknown, rewriter: Rewriter): unknown {
  if (typeof value === 'string')
    return /^https?:\/\//.test(value) ? (rewriteAddress(value, rewriter) ?? undefined) : value;
  if (Array.isArray(value))
    return value.map((item) => withSiteAddresses(item, rewriter)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withSiteAddresses(inner, rewriter)] as const);
  return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
}

/** Reads Yoast's nodes of schema.org, with addresses of this site. */
function schemaOf(graph: Record<string, unknown>[], page: string, rewriter: Rewriter, warn: Warn) {
  if (JSON.stringify(graph).length > MAX_SCHEMA_LENGTH) {
    warn('content.schema-too-long', { page });
    return [];
  }
  return graph.map((node) => withSiteAddresses(node, rewriter) as Record<string, unknown>);
}

/** Returns Yoast's picture, with its sizes and alternative text if it is also the page's featured image. */
function withSizes(picture: { url: string; width: number; height: number }, featured: WirePicture | null): WirePicture {
  return featured?.url === picture.url ? featured : { ...picture, alt: '', sizes: null };
}

/**
 * @param path Path of the page, for warnings.
 * @param onLeftOut Called for each part of a section that the page does not show.
 */
export function pageContentOf(
  wire: WirePage,
  path: string,
  rewriter: Rewriter,
  warn: Warn,
  onLeftOut?: OnLeftOut,
): PageContent {
  const { yoast_head_json: yoast, found } = wire;
  const [yoastPicture] = yoast?.og_image ?? [];
  const sharePicture = found?.picture ?? (yoastPicture && withSizes(yoastPicture, wire.picture)) ?? wire.picture;
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
    description: descriptionOf(found?.description || yoast?.description || wire.excerpt?.rendered || ''),
    metaTitle: titleText(found?.title || yoast?.title || ''),
    shareTitle: titleText((found?.share_title ?? found?.title) || yoast?.og_title || ''),
    shareDescription: descriptionOf((found?.share_description ?? found?.description) || yoast?.og_description || ''),
    canonical: canonicalOf(yoast?.canonical, rewriter),
    metaImage: pictureOf(sharePicture, rewriter, warn),
    noindex,
    robots: robotsOf(yoast ?? null, noindex),
    head: {
      schema: schemaOf(yoast?.schema?.['@graph'] ?? [], path, rewriter, warn),
      tags: headTagsOf(yoast ?? null, found?.verification ?? {}, rewriter),
    },
  };
}
