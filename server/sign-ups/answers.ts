import type { Form, FormField, Strings } from '../../app/content/types.ts';

/** Longest answer to one control, in characters: more than any real one, less than would fill a store. */
const LONGEST_ANSWER = 10_000;

/** HTML's own rule for `type=email` (WHATWG, "valid e-mail address"), and a dot in the domain. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Reads the answers to a form's own controls, and nothing else that was sent. Line ends become plain ones. */
export function readAnswers(form: Form, sent: FormData): Record<string, string> {
  const answers: Record<string, string> = {};
  for (const { name } of form.fields.flatMap((field) => field.inputs)) {
    const values = sent.getAll(name).filter((value) => typeof value === 'string');
    if (values.length > 0) answers[name] = values.join(',').replace(/\r\n?/g, '\n');
  }
  return answers;
}

const isEmpty = (field: FormField, answers: Record<string, string>) =>
  field.inputs.every(({ name }) => (answers[name] ?? '').trim() === '');

function problemWith(field: FormField, answers: Record<string, string>, strings: Strings): string | null {
  if (isEmpty(field, answers)) return field.isRequired ? field.errorMessage || strings.form.required : null;
  // Refused rather than cut: what is delivered is what the visitor wrote.
  if (field.inputs.some(({ name }) => (answers[name] ?? '').length > LONGEST_ANSWER)) return strings.form.invalid;
  const answer = (answers[field.inputs[0]?.name ?? ''] ?? '').trim();
  if (field.type === 'email' && !EMAIL.test(answer)) return field.errorMessage || strings.form.email;
  const offered = ['select', 'radio'].includes(field.type) ? field.choices : [];
  if (offered.length > 0 && !offered.some((choice) => choice.value === answer))
    return field.errorMessage || strings.form.invalid;
  return null;
}

/** @returns What is wrong, by the name of each field's first control; empty when nothing is. */
export function validate(form: Form, answers: Record<string, string>, strings: Strings): Record<string, string> {
  const problems = form.fields.flatMap((field) => {
    const problem = problemWith(field, answers, strings);
    const [first] = field.inputs;
    return problem && first ? [[first.name, problem] as const] : [];
  });
  return Object.fromEntries(problems);
}
