import declared from '@pillion/plugin/blocks/sections.json' with { type: 'json' };

/** Whether an editor may choose it: the same list that WordPress offers. */
export const isKnownTemplate = (name: string): boolean => Object.hasOwn(declared.templates, name);
