import { type Rule, sectionsIn } from './rule.ts';

/** The form of the section does not exist or cannot be read, so visitors cannot sign up there. */
export const formMissing: Rule = (draft) =>
  sectionsIn(draft)
    .filter(({ section }) => section.type === 'sign-up' && section.form === null)
    .map(({ block }) => ({ block, kind: 'form-missing', values: {} }));
