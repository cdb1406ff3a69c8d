import { type Rule, sectionsIn } from './rule.ts';

/** A page has one hero: the headline of a second one is not the page's heading. */
export const twoHeroes: Rule = (draft) =>
  sectionsIn(draft)
    .filter(({ section }) => section.type === 'hero')
    .slice(1)
    .map(({ block }) => ({ block, kind: 'two-heroes', values: {} }));
