import type { Page, Sections } from '@pillion/content/types.ts';

/** The site's own pages. They have a template but count as plain pages (R5). */
const OWN_PAGES = new Set(['not-found', 'gone', 'error', 'search', 'sign-up']);

/** A plain page has no join button, no social links and no sound hint (R3). */
export const isPlain = ({ template }: Page): boolean => template === null || OWN_PAGES.has(template);

export const heroOf = ({ sections }: Pick<Page, 'sections'>): Sections['hero'] | undefined =>
  sections.find((section) => section.type === 'hero');

/** A page with a hero starts with a picture, so its header is dark in both themes. */
export const hasHero = (page: Pick<Page, 'sections'>): boolean => heroOf(page) !== undefined;

export const hasForm = ({ sections }: Page): boolean => sections.some(({ type }) => type === 'sign-up');

/** Templates without own behavior. */
const TEXT_PAGES = new Set([null, 'rich-text', 'not-found', 'gone', 'error']);

/** A page to read has only text. It works without React (decision 070). */
export const isReading = ({ template, sections }: Pick<Page, 'template' | 'sections'>): boolean =>
  TEXT_PAGES.has(template) && sections.every(({ type }) => type === 'rich-text');
