import type { Page, Sections } from '@pillion/content/types.ts';

/** Pages of the site's own making: they have a template's code but count as plain ones (R5). */
const OWN_PAGES = new Set(['not-found', 'gone', 'error', 'search', 'sign-up']);

/** A plain page has no join button, no social links and no sound hint (R3). */
export const isPlain = ({ template }: Page): boolean => template === null || OWN_PAGES.has(template);

export const heroOf = ({ sections }: Pick<Page, 'sections'>): Sections['hero'] | undefined =>
  sections.find((section) => section.type === 'hero');

/** A page with a hero begins over a picture: its header is dark there, whatever the theme. */
export const hasHero = (page: Pick<Page, 'sections'>): boolean => heroOf(page) !== undefined;

export const hasForm = ({ sections }: Page): boolean => sections.some(({ type }) => type === 'sign-up');
