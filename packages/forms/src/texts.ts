import type declared from '@pillion/plugin/data/texts.json';

type Texts = (typeof declared)['groups']['form']['texts'];

/** Texts of every form, from *Pillion → Texts*. A field's own words come first. */
export type FormTexts = { [Name in keyof Texts]: Texts[Name]['default'] };
