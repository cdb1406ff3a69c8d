import { type Rule, sectionsIn } from './rule.ts';

/** Nobody can sign up there: its form does not exist or cannot be read. */
export const formMissing: Rule = (looked) =>
  sectionsIn(looked)
    .filter(({ section }) => section.type === 'sign-up' && section.form === null)
    .map(({ block }) => ({ block, kind: 'form-missing', values: {} }));
