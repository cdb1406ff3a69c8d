import { type Rule, sectionsIn } from './rule.ts';

/** A hero without words shows the page's title, which is seldom what was meant; without a title too it is blank. */
export const headlineMissing: Rule = (looked) => {
  const heroes = sectionsIn(looked).filter(({ section }) => section.type === 'hero');
  const isBlank = ({ section }: (typeof heroes)[number]) => section.type === 'hero' && section.heading.length === 0;
  // One that the site put there itself has the page's title in it.
  const blank = heroes.filter((hero) => hero.block !== null && isBlank(hero));
  if (blank.length > 0) return blank.map(({ block }) => ({ block, kind: 'headline-missing', values: {} }));
  const hasWords = looked.page.title !== '' || heroes.some((hero) => !isBlank(hero) && hero.block !== null);
  return hasWords ? [] : [{ block: null, kind: 'headline-missing', values: {} }];
};
