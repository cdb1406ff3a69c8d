import { type Rule, sectionsIn } from './rule.ts';

/** A hero without a headline shows the page's title, which is rarely intended. Without a title it is empty. */
export const headlineMissing: Rule = (draft) => {
  const heroes = sectionsIn(draft).filter(({ section }) => section.type === 'hero');
  const isBlank = ({ section }: (typeof heroes)[number]) => section.type === 'hero' && section.heading.length === 0;
  // A hero that the site adds shows the page's title.
  const blank = heroes.filter((hero) => hero.block !== null && isBlank(hero));
  if (blank.length > 0) return blank.map(({ block }) => ({ block, kind: 'headline-missing', values: {} }));
  const hasWords = draft.page.title !== '' || heroes.some((hero) => !isBlank(hero) && hero.block !== null);
  return hasWords ? [] : [{ block: null, kind: 'headline-missing', values: {} }];
};
