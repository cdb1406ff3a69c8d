import type { Checked } from '@pillion/content/forms/form-check.ts';
import { plainText } from '@pillion/content/text/plain-text.ts';
import type { Strings } from '@pillion/content/types.ts';
import { problemWithFiles, problemWithTotal, refusedFile } from '@pillion/forms/files.ts';
import type { Answers, Form, FormField } from '@pillion/forms/form.ts';
import { hiddenFields, isOffered } from '@pillion/forms/logic.ts';
import { namesOf, problemWith } from '@pillion/forms/rules.ts';
import type { FormTexts } from '@pillion/forms/texts.ts';
import type { KeptFile } from './outbox/outbox.ts';
import { isSafe, typeOf } from './uploads/kinds.ts';
import type { SentFile } from './uploads/read-upload.ts';

/** Judges a sign-up by its form's definition, and picks out what is kept of it. Nothing here has an effect. */

/** Fields that these answers leave to be asked; without script a visitor saw the others too, and may have filled them in. */
export function askedIn({ fields }: Form, values: Answers): FormField[] {
  const hidden = hiddenFields(fields, values);
  return fields.filter(({ id }) => !hidden.has(id));
}

/**
 * Files are kept beside the answers, and not by their names among them. What Gravity Forms' own page sends in hidden
 * controls goes along.
 */
export function answersTo(fields: FormField[], values: Answers): Answers {
  const names = fields.flatMap((field) => (field.upload ? [] : namesOf(field)));
  const answers = names.flatMap((name) => (name in values ? [[name, values[name] ?? ''] as const] : []));
  return Object.assign({}, Object.fromEntries(answers), ...fields.map(({ fixed }) => fixed));
}

/** Why a sign-up is refused, in words for the visitor. */
export interface Refusal {
  /** By the name of a field's first control. */
  errors: Record<string, string>;
  /** What is wrong with all of it, where no one answer is to blame. */
  message?: string;
}

const hasAnswer = (fields: FormField[], values: Answers) =>
  fields.some((field) =>
    namesOf(field).some((name) => [values[name] ?? ''].flat().some((value) => value.trim() !== '')),
  );

/** Whether Gravity Forms would turn a page and send the form with these answers. */
const isSendable = ({ fields, submitLogic }: Form, asked: FormField[], values: Answers) =>
  [submitLogic, ...asked.map(({ nextLogic }) => nextLogic)].every((logic) => isOffered(logic, fields, values));

/** @returns Why Gravity Forms would refuse it, as far as its definition says; `null`: it would not. */
export function wrongWith(
  form: Form,
  asked: FormField[],
  values: Answers,
  files: SentFile[],
  strings: Strings,
): Refusal | null {
  const { closed } = form;
  if (closed) return { errors: {}, message: plainText(closed.html) || strings.form.closed };
  const errors = validate(asked, values, files, strings);
  if (Object.keys(errors).length > 0) return { errors };
  if (!isSendable(form, asked, values)) return { errors: {}, message: strings.form.not_offered };
  return hasAnswer(asked, values) ? null : { errors: {}, message: strings.form.nothing };
}

/** @returns Why WordPress would refuse it, as it said when it was asked. */
export function refusalIn(checked: Checked | null, { form: texts }: Strings): Refusal | null {
  if (checked?.closed != null) {
    const message = checked.closed || texts.closed;
    return { errors: {}, message };
  }
  return checked && Object.keys(checked.taken).length > 0 ? { errors: checked.taken } : null;
}

const filesOf = ({ inputs, upload }: FormField, files: SentFile[]) =>
  upload ? files.filter(({ input }) => input === inputs[0]?.name) : [];

function problemWithSent(field: FormField, files: SentFile[], texts: FormTexts): string | null {
  const own = filesOf(field, files);
  const problem = problemWithFiles(field, own, texts);
  const { upload, errorMessage } = field;
  if (problem !== null || upload === null) return problem;
  const unsafe = own.find(({ name, head }) => !isSafe(upload, name, head));
  return unsafe ? errorMessage || refusedFile(upload, unsafe, texts) : null;
}

/** No keyboard has it, and neither PostgreSQL nor PHP keeps a text that does: said rather than dropped. */
const NO_CHARACTER = 'This has a character in it that cannot be kept. Please type it again.';

/** @returns What is wrong, by the name of each field's first control; empty when nothing is. */
function validate(fields: FormField[], answers: Answers, files: SentFile[], { form }: Strings): Record<string, string> {
  const asked = fields.flatMap((field) => filesOf(field, files));
  const problems = fields.flatMap((field) => {
    const unreadable = field.inputs.some(({ name }) =>
      [answers[name] ?? ''].flat().some((text) => text.includes('\0')),
    );
    const total = field.upload && filesOf(field, files).length > 0 ? problemWithTotal(asked, form) : null;
    const unkept = unreadable ? NO_CHARACTER : null;
    const problem = unkept ?? problemWith(field, answers, form) ?? problemWithSent(field, files, form) ?? total;
    const [first] = field.inputs;
    return problem && first ? [[first.name, problem] as const] : [];
  });
  return Object.fromEntries(problems);
}

/** Reads what was sent in the fields that were asked. Of what was set aside as no visitor's, only what a visitor could have sent. */
export async function filesFor(fields: FormField[], sent: SentFile[], { form }: Strings): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const field of fields) {
    if (problemWithSent(field, sent, form) !== null) continue;
    for (const { input, name, read } of filesOf(field, sent)) {
      const several = (field.upload?.maxFiles ?? 1) > 1;
      files.push({ input: several ? `${input}[]` : input, name, type: typeOf(name), bytes: await read() });
    }
  }
  return files;
}

/** What the ticked consent boxes said, as the visitor read it. */
export function consentIn(fields: FormField[], answers: Answers): string | null {
  const given = fields.filter(({ consentHtml, inputs }) => consentHtml !== null && answers[inputs[0]?.name ?? '']);
  return given.length > 0 ? given.map(({ consentHtml }) => plainText(consentHtml ?? '')).join('\n') : null;
}
