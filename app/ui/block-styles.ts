import type { Page } from '../content/types.ts';
import href from './blocks.css?url';

/** Stylesheets a page needs beside the site's own: that of WordPress' blocks, where it has rich text. */
export const pageStyles = ({ sections }: Page): string[] =>
  sections.some(({ type }) => type === 'rich-text') ? [href] : [];

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
