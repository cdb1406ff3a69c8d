import { plainText } from '@pillion/content/text/plain-text.ts';
import type { Strings } from '@pillion/content/types.ts';
import { problemWithFiles, problemWithTotal, refusedFileMessage } from '@pillion/forms/files.ts';
import type { Answers, Form, FormField } from '@pillion/forms/form.ts';
import { hiddenFields, isOffered } from '@pillion/forms/logic.ts';
import { namesOf, problemWith } from '@pillion/forms/rules.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import type { Checked } from './backends/backend.ts';
import type { StoredFile } from './outbox/outbox.ts';
import { isSafe, mediaTypeOf } from './uploads/kinds.ts';
import type { SentFile } from './uploads/read-upload.ts';

/** Validates a sign-up by its form's definition and selects what is stored. Functions without side effects. */

/** Fields that these answers leave visible. Without script, visitors may also have filled in the hidden ones. */
export function visibleFields({ fields }: Form, values: Answers): FormField[] {
  const hidden = hiddenFields(fields, values);
  return fields.filter(({ id }) => !hidden.has(id));
}

/** The answers to store, with the values that the backend expects (`fixed`). Files are stored separately. */
export function answersToStore(fields: FormField[], values: Answers): Answers {
  const names = fields.flatMap((field) => (field.upload ? [] : namesOf(field)));
  const answers = names.filter((name) => name in values).map((name) => [name, values[name]]);
  return Object.assign(Object.fromEntries(answers), ...fields.map(({ fixed }) => fixed));
}

/** Why a sign-up is refused, for the visitor. */
export interface Refusal {
  /** By the name of a field's first control. */
  errors: Record<string, string>;
  /** An error of the whole form. */
  message?: string;
}

const textsOf = (field: FormField, values: Answers): string[] => namesOf(field).flatMap((name) => values[name] ?? []);

const hasAnswer = (fields: FormField[], values: Answers) =>
  fields.some((field) => textsOf(field, values).some((text) => text.trim() !== ''));

/** Whether the conditions of the submit button and of each page's button for the next page are met. */
const areButtonsOffered = ({ fields, submitLogic }: Form, visible: FormField[], values: Answers) =>
  [submitLogic, ...visible.map(({ nextLogic }) => nextLogic)].every((logic) => isOffered(logic, fields, values));

/** @returns Why the form's definition refuses the sign-up; `null`: it does not. */
export function refusalByForm(
  form: Form,
  visible: FormField[],
  values: Answers,
  files: SentFile[],
  strings: Strings,
): Refusal | null {
  const { closed } = form;
  if (closed) return { errors: {}, message: plainText(closed.html) || strings.form.closed };
  const errors = validateFields(visible, values, files, strings);
  if (Object.keys(errors).length > 0) return { errors };
  if (!areButtonsOffered(form, visible, values)) return { errors: {}, message: strings.form.not_offered };
  return hasAnswer(visible, values) ? null : { errors: {}, message: strings.form.nothing };
}

/** @returns Why the backend would refuse the sign-up, by its response to the check; `null`: it would not. */
export function refusalByBackend(checked: Checked | null, { form: texts }: Strings): Refusal | null {
  if (checked?.closed != null) {
    const message = checked.closed || texts.closed;
    return { errors: {}, message };
  }
  return checked && Object.keys(checked.taken).length > 0 ? { errors: checked.taken } : null;
}

const filesOf = ({ inputs, upload }: FormField, files: SentFile[]) =>
  upload ? files.filter(({ input }) => input === inputs[0]?.name) : [];

function problemWithSentFiles(field: FormField, files: SentFile[], texts: FormTexts): string | null {
  const fieldFiles = filesOf(field, files);
  const problem = problemWithFiles(field, fieldFiles, texts);
  const { upload, errorMessage } = field;
  if (problem !== null || upload === null) return problem;
  const unsafe = fieldFiles.find(({ name, head }) => !isSafe(upload, name, head));
  return unsafe ? errorMessage || refusedFileMessage(upload, unsafe, texts) : null;
}

/** Neither PostgreSQL nor PHP can store the character U+0000, which no keyboard has. */
const isStorable = (field: FormField, answers: Answers) =>
  textsOf(field, answers).every((text) => !text.includes('\0'));

const UNSTORABLE_CHARACTER = 'This contains a character that cannot be stored. Please type it again.';

/** @returns Errors by the name of each field's first control; empty if all answers are valid. */
function validateFields(
  fields: FormField[],
  answers: Answers,
  files: SentFile[],
  { form }: Strings,
): Record<string, string> {
  const allFiles = fields.flatMap((field) => filesOf(field, files));
  const problemIn = (field: FormField) =>
    (isStorable(field, answers) ? null : UNSTORABLE_CHARACTER) ??
    problemWith(field, answers, form) ??
    problemWithSentFiles(field, files, form) ??
    (filesOf(field, files).length > 0 ? problemWithTotal(allFiles, form) : null);
  const errors = fields.flatMap((field) => {
    const problem = problemIn(field);
    const [first] = field.inputs;
    return problem && first ? [[first.name, problem] as const] : [];
  });
  return Object.fromEntries(errors);
}

/** Reads the files of these fields, except those that break a field's rules, as a set-aside sign-up may have. */
export async function readFiles(fields: FormField[], sent: SentFile[], { form }: Strings): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const field of fields) {
    if (problemWithSentFiles(field, sent, form) !== null) continue;
    for (const { input, name, read } of filesOf(field, sent)) {
      const isMultiple = (field.upload?.maxFiles ?? 1) > 1;
      files.push({ input: isMultiple ? `${input}[]` : input, name, type: mediaTypeOf(name), bytes: await read() });
    }
  }
  return files;
}

/** The texts of the ticked consent boxes, as the visitor read them. */
export function consentTextOf(fields: FormField[], answers: Answers): string | null {
  const given = fields.filter(({ consentHtml, inputs }) => consentHtml !== null && answers[inputs[0]?.name ?? '']);
  return given.length > 0 ? given.map(({ consentHtml }) => plainText(consentHtml ?? '')).join('\n') : null;
}
