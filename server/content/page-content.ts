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

/** @param path The route's path, by which warnings name the page. */
export function pageContentOf(wire: WirePage, path: string, rewriter: Rewriter, warn: Warn): PageContent {
  const yoast = wire.yoast_head_json;
  const [image] = yoast?.og_image ?? [];
  const shared = image
    ? { url: image.url, alt: '', width: image.width ?? 0, height: image.height ?? 0, sizes: null }
    : wire.picture;
  const sections = wire.sections ?? [{ type: 'rich-text', html: wire.content?.rendered ?? '' }];
  const isKnownTheme = !wire.acf.theme || themeOf(wire.acf.theme);
  if (!isKnownTheme) warn('content.theme-unknown', { page: path, theme: wire.acf.theme });
  return {
    isPublic: wire.status === 'publish' && wire.content?.protected !== true,
    title: plainText(wire.title.rendered),
    template: wire.template ?? '',
    theme: themeOf(wire.acf.theme),
    sections: sectionsOf(sections, path, rewriter, warn),
    description: shortened(plainText(yoast?.description || wire.excerpt?.rendered || '')),
    metaTitle: plainText(yoast?.title ?? ''),
    metaImage: shared ? pictureOf(shared, rewriter, warn) : null,
    noindex: yoast?.robots?.index === 'noindex',
  };
}
