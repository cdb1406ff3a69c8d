import type { Picture, Theme } from '../../app/content/types.ts';
import { pictureOf } from './pictures.ts';
import { plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import type { WirePage } from './schemas.ts';
import { type KeptSection, sectionsOf } from './sections.ts';

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
  /** Another page that this one is to be found as, as a path; `null`: itself. */
  canonical: string | null;
  /** What an SEO plugin says the page is, addresses inside WordPress as `HERE` and a path; empty where there is none. */
  schema: Record<string, unknown>[];
  /** What the editor chose to share the page with. */
  metaImage: Picture | null;
  noindex: boolean;
}

/** Search engines cut there or before; a longer excerpt ends on a word. */
const DESCRIPTION_MAX_LENGTH = 300;

function shortened(text: string): string {
  if (text.length <= DESCRIPTION_MAX_LENGTH) return text;
  return `${text.slice(0, DESCRIPTION_MAX_LENGTH - 1).replace(/\s+\S*$/, '')}…`;
}

export const themeOf = (value: unknown): Theme | null => (value === 'dark' || value === 'light' ? value : null);

/** Stands before a path of this site in linked data, which is made whole where the site's own address is known. */
export const HERE = '\ue000';

/** In characters. An SEO plugin writes 2 to 6 KB; a graph of another order is no page's. */
const SCHEMA_MAX_LENGTH = 50_000;

/** An SEO plugin knows only WordPress' own addresses; every one that is ours is turned into a path here. */
function hereOf(value: unknown, rewriter: Rewriter): unknown {
  if (typeof value === 'string' && /^https?:\/\//.test(value)) {
    const link = rewriter.link(value);
    return link?.startsWith('/') ? HERE + link : value;
  }
  if (Array.isArray(value)) return value.map((item) => hereOf(item, rewriter));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hereOf(inner, rewriter)]));
}

function schemaOf(graph: Record<string, unknown>[], page: string, rewriter: Rewriter, warn: Warn) {
  if (JSON.stringify(graph).length > SCHEMA_MAX_LENGTH) {
    warn('content.schema-too-long', { page });
    return [];
  }
  return graph.map((node) => hereOf(node, rewriter) as Record<string, unknown>);
}

/** Only a page of this site: a canonical address elsewhere would give the whole page away. */
function canonicalOf(address: string | undefined, rewriter: Rewriter): string | null {
  const link = address ? rewriter.link(address) : null;
  return link?.startsWith('/') && !link.startsWith('//') ? link : null;
}

/** @param path The route's path, by which warnings name the page. */
export function pageContentOf(wire: WirePage, path: string, rewriter: Rewriter, warn: Warn): PageContent {
  const { yoast_head_json: yoast, found } = wire;
  const [image] = yoast?.og_image ?? [];
  const fromYoast = image && {
    url: image.url,
    alt: '',
    width: image.width ?? 0,
    height: image.height ?? 0,
    sizes: null,
  };
  const shared = found?.picture ?? fromYoast ?? wire.picture;
  const sections = wire.sections ?? [{ type: 'rich-text', html: wire.content?.rendered ?? '' }];
  const isKnownTheme = !wire.acf.theme || themeOf(wire.acf.theme);
  if (!isKnownTheme) warn('content.theme-unknown', { page: path, theme: wire.acf.theme });
  return {
    isPublic: wire.status === 'publish' && wire.content?.protected !== true,
    title: plainText(wire.title.rendered),
    template: wire.template ?? '',
    theme: themeOf(wire.acf.theme),
    sections: sectionsOf(sections, path, rewriter, warn),
    description: shortened(plainText(found?.description || yoast?.description || wire.excerpt?.rendered || '')),
    metaTitle: plainText(found?.title || yoast?.title || ''),
    shareTitle: plainText(found?.title || yoast?.og_title || ''),
    shareDescription: shortened(plainText(found?.description || yoast?.og_description || '')),
    canonical: canonicalOf(yoast?.canonical, rewriter),
    schema: schemaOf(yoast?.schema?.['@graph'] ?? [], path, rewriter, warn),
    metaImage: shared ? pictureOf(shared, rewriter, warn) : null,
    noindex: (found?.noindex ?? false) || yoast?.robots?.index === 'noindex',
  };
}
