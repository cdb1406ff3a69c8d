import type { Page } from '../content/types.ts';
import { hasHero } from '../shell/kind-of-page.ts';
import notice from '../templates/notice/notice.css?url';
import blocks from './blocks.css?url';

const NOTICES = new Set(['not-found', 'error']);

type Styled = Pick<Page, 'template' | 'sections'>;

/** Stylesheets a page needs beside the site's own: that of a notice, or that of text wherever there is any to read. */
export function pageStyles(page: Styled): string[] {
  if (NOTICES.has(page.template ?? '')) return [notice];
  return !hasHero(page) || page.sections.some(({ type }) => type === 'rich-text') ? [blocks] : [];
}

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
export const preparePageStyles = (page: Styled): Promise<unknown> => Promise.all(pageStyles(page).map(addStyles));
