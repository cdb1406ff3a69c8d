import * as common from './common-rules.ts';
import * as extra from './extra-rules.ts';
import type { Answers, Form, FormField } from './form.ts';
import type { FormTexts } from './texts.ts';

/** The rules for all kinds of field, as the server applies them. A page applies those that it has loaded. */

export { namesOf } from './common-rules.ts';

/** @returns The error message for a field's answers; `null` if they are valid. */
export const problemWith = (field: FormField, answers: Answers, texts: FormTexts): string | null =>
  common.problemWith(field, answers, texts, extra);

/** Reads the answers to the form's controls and ignores all other data. */
export const readAnswers = (form: Form, sent: FormData): Answers => common.readAnswers(form, sent, extra);
