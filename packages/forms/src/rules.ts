import * as common from './common-rules.ts';
import type { Answers, Form, FormField } from './form.ts';
import * as rare from './rare-rules.ts';
import type { FormTexts } from './texts.ts';

/**
 * What the answers to every kind of field must be. This is the server's word. A page says the same while a form is filled
 * in, with the rules that it has loaded.
 */

export { namesOf } from './common-rules.ts';

/** @returns What is wrong with a field's answers, `null` where nothing is. */
export const problemWith = (field: FormField, answers: Answers, texts: FormTexts): string | null =>
  common.problemWith(field, answers, texts, rare);

/** Reads the answers to a form's own controls, and nothing else that was sent. */
export const readAnswers = (form: Form, sent: FormData): Answers => common.readAnswers(form, sent, rare);
