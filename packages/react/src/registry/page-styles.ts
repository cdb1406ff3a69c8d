import ownSheets from 'virtual:pillion-own/section-sheets';
import ownStyles from 'virtual:pillion-own/section-styles';
import ownTemplateStyles from 'virtual:pillion-own/template-styles';
import type { Page, Section } from '@pillion/content/types.ts';
import textStyles from '../sections/rich-text/view.css?url';
import { addStyles } from '../ui/add-styles.ts';
import { hasHero } from './kind-of-page.ts';

/**
 * The stylesheets that a page needs in addition to the site's own (decisions 009 and 034). Pages with a section link
 * its `view.css`; its `view.module.css` is part of the site's stylesheet. `styles.ts` lists further ones: a section's
 * by its values, a template's for all its pages.
 */
const SECTION_SHEETS = import.meta.glob<string>('../sections/*/view.css', {
  eager: true,
  query: '?url',
  import: 'default',
});
/** A section's stylesheets by its values. */
const STYLES_BY_VALUES = import.meta.glob<(section: never) => string[]>('../sections/*/styles.ts', {
  eager: true,
  import: 'default',
});
const TEMPLATE_STYLES = import.meta.glob<string[]>('../templates/*/styles.ts', { eager: true, import: 'default' });

/** The addresses of a section's stylesheets: that of its type, then those of its values. */
const sectionStyles = (section: Section): string[] => {
  const folder = `../sections/${section.type}`;
  const stylesheet = SECTION_SHEETS[`${folder}/view.css`] ?? ownSheets[section.type];
  const byValues = STYLES_BY_VALUES[`${folder}/styles.ts`] ?? ownStyles[section.type];
  return [...(stylesheet ? [stylesheet] : []), ...(byValues?.(section as never) ?? [])];
};

type StyledPage = Pick<Page, 'template' | 'sections'>;

/**
 * Stylesheets of a page besides the site's own, without duplicates: first the template's (the text styles if it has no
 * list and the page no hero), then the sections'.
 */
export function pageStyles(page: StyledPage): string[] {
  const templateStyles =
    TEMPLATE_STYLES[`../templates/${page.template}/styles.ts`] ?? ownTemplateStyles[`${page.template}`];
  const firstStyles = templateStyles ?? (hasHero(page) ? [] : [textStyles]);
  return [...new Set([...firstStyles, ...page.sections.flatMap(sectionStyles)])];
}

/** Adds every stylesheet of `page` to the document before the page is shown. */
export const preparePageStyles = (page: StyledPage): Promise<unknown> => Promise.all(pageStyles(page).map(addStyles));
