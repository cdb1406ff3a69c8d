import type { Form, Page, Section } from '../content/types.ts';
import gallery from '../sections/gallery/gallery.css?url';
import quote from '../sections/quote/quote.css?url';
import form from '../sections/sign-up/form-more.css?url';
import { hasHero } from '../shell/kind-of-page.ts';
import notice from '../templates/notice/notice.css?url';
import search from '../templates/search/search.css?url';
import blocks from './blocks.css?url';

/** Sections that few pages have, or that not the first one has, bring their styles along (decision 009). */
const OF_SECTIONS: Partial<Record<Section['type'], string>> = { 'rich-text': blocks, gallery, quote };

const OF_TEMPLATES: Record<string, string[]> = {
  'not-found': [notice],
  gone: [notice],
  error: [notice],
  search: [blocks, search],
  'sign-up': [blocks, form],
};

/** Fields whose looks are in the site's own sheet. */
const COMMON_FIELDS = new Set(['text', 'email', 'phone', 'website', 'consent', 'hidden']);

const hasUncommon = ({ fields }: Form) => fields.some(({ type }) => !COMMON_FIELDS.has(type));

const ofSection = (section: Section): string | undefined =>
  section.type === 'sign-up' && section.form && hasUncommon(section.form) ? form : OF_SECTIONS[section.type];

type Styled = Pick<Page, 'template' | 'sections'>;

/** Stylesheets a page needs beside the site's own, each once: of its template, of its text where it has any, of its sections. */
export function pageStyles(page: Styled): string[] {
  const ofTemplate = OF_TEMPLATES[page.template ?? ''] ?? (hasHero(page) ? [] : [blocks]);
  return [...new Set([...ofTemplate, ...page.sections.flatMap((section) => ofSection(section) ?? [])])];
}

/** Adds a stylesheet to the document, once. Resolves when it has come, or cannot be had: text without it is still text. */
export function addStyles(href: string): Promise<unknown> | undefined {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

/** What a form looks like while it is used. Resolves like `addStyles`. */
export const addFormStyles = () => addStyles(form);

/** Has every stylesheet of `page` in the document before the page is shown. */
export const preparePageStyles = (page: Styled): Promise<unknown> => Promise.all(pageStyles(page).map(addStyles));
