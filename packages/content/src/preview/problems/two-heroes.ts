import { type Rule, sectionsIn } from './rule.ts';

/** A page opens once: the second hero's headline is no longer the page's. */
export const twoHeroes: Rule = (looked) =>
  sectionsIn(looked)
    .filter(({ section }) => section.type === 'hero')
    .slice(1)
    .map(({ block }) => ({ block, kind: 'two-heroes', values: {} }));
