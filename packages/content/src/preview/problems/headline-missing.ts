import { type Rule, sectionsIn } from './rule.ts';

/**
 * A hero without a headline shows the page's title, which is rarely intended. A page with neither a hero of the editor
 * nor a title has no headline at all.
 */
export const headlineMissing: Rule = (draft) => {
  // Only heroes of the editor have a block. A hero that the site adds shows the page's title.
  const heroes = sectionsIn(draft).flatMap(({ section, block }) =>
    section.type === 'hero' && block !== null ? { block, isBlank: section.heading.length === 0 } : [],
  );
  const blank = heroes.filter(({ isBlank }) => isBlank);
  if (blank.length > 0) return blank.map(({ block }) => ({ block, kind: 'headline-missing', values: {} }));
  const hasHeadline = heroes.length > 0 || draft.page.title !== '';
  return hasHeadline ? [] : [{ block: null, kind: 'headline-missing', values: {} }];
};
