import { DECLARED } from '../wordpress/declared.ts';

/** Whether editors can choose the template: the same list as in WordPress. */
export const isKnownTemplate = (name: string): boolean => Object.hasOwn(DECLARED.templates, name);
