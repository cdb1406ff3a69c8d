import ownSheets from 'virtual:pillion-own/section-sheets';
import ownStyles from 'virtual:pillion-own/section-styles';
import ownTemplateStyles from 'virtual:pillion-own/template-styles';
import type { Page, Section } from '@pillion/content/types.ts';
import text from '../sections/rich-text/view.css?url';
import { addStyles } from '../ui/add-styles.ts';
import { hasHero } from './kind-of-page.ts';

/**
 * Each folder says by its files what a page needs beside the site's own sheet (decisions 009 and 034). A section's `view.css`
 * is linked by pages that have the section, its `view.module.css` is part of the site's sheet. `styles.ts` is for what
 * depends on more: a section's answers by its values, a template's lists what its pages need.
 */
const SECTION_SHEETS = import.meta.glob<string>('../sections/*/view.css', {
  eager: true,
  query: '?url',
  import: 'default',
});
/** Which sheets a section needs by its values. */
const STYLES_BY_VALUES = import.meta.glob<(section: never) => string[]>('../sections/*/styles.ts', {
  eager: true,
  import: 'default',
});
const TEMPLATE_STYLES = import.meta.glob<string[]>('../templates/*/styles.ts', { eager: true, import: 'default' });

const ofSection = (section: Section): string[] => {
  const folder = `../sections/${section.type}`;
  const sheet = SECTION_SHEETS[`${folder}/view.css`] ?? ownSheets[section.type];
  const byValues = STYLES_BY_VALUES[`${folder}/styles.ts`] ?? ownStyles[section.type];
  return [...(sheet ? [sheet] : []), ...(byValues?.(section as never) ?? [])];
};

type Styled = Pick<Page, 'template' | 'sections'>;

/** Stylesheets a page needs beside the site's own, each once: of its template (or of text, where no hero stands), then of its sections. */
export function pageStyles(page: Styled): string[] {
  const own = TEMPLATE_STYLES[`../templates/${page.template}/styles.ts`] ?? ownTemplateStyles[`${page.template}`];
  const ofTemplate = own ?? (hasHero(page) ? [] : [text]);
  return [...new Set([...ofTemplate, ...page.sections.flatMap(ofSection)])];
}

/** Has every stylesheet of `page` in the document before the page is shown. */
export const preparePageStyles = (page: Styled): Promise<unknown> => Promise.all(pageStyles(page).map(addStyles));
