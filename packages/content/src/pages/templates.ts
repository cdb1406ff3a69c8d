import { DECLARED } from '../wordpress/declared.ts';

/** Whether an editor may choose it: the same list that WordPress offers. */
export const isKnownTemplate = (name: string): boolean => Object.hasOwn(DECLARED.templates, name);
