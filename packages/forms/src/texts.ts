import type declared from '@pillion/plugin/data/texts.json';

type Texts = (typeof declared)['groups']['form']['texts'];

/** Texts of all forms, from *Pillion → Texts*. A field's own error message takes precedence. */
export type FormTexts = { [Name in keyof Texts]: Texts[Name]['default'] };
