import type { Page, Section } from '../content/types.ts';
import blocks from '../ui/blocks.css?url';
import gallery from './gallery/gallery.css?url';
import quote from './quote/quote.css?url';

/** Sections that few pages have, or that not the first one has, bring their styles along (decision 009). */
const APART: Partial<Record<Section['type'], string>> = { 'rich-text': blocks, gallery, quote };

/** Stylesheets a page needs beside the site's own, each once. */
export const pageStyles = ({ sections }: Page): string[] => [
  ...new Set(sections.flatMap(({ type }) => APART[type] ?? [])),
];

/** Adds a stylesheet to the document, once. Resolves when it has come, or cannot be had: text without it is still text. */
function addStyles(href: string): Promise<unknown> | undefined {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

/** Has every stylesheet of `page` in the document before the page is shown. */
export const preparePageStyles = (page: Page): Promise<unknown> => Promise.all(pageStyles(page).map(addStyles));
