import type { Answers, Choice, Form, FormField, Strings } from '../../content/types.ts';
import { numberIn } from './numbers.ts';

/** What an answer must be, said in the same words by the page while it is filled in and by the server, which decides. */

type Texts = Strings['form'];

/** Longest answer to one control, in characters: more than any real one, less than would fill a store. */
const LONGEST_ANSWER = 10_000;

/** HTML's own rule for `type=email` (WHATWG, "valid e-mail address"), and a dot in the domain. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

const WEBSITE = /^https?:\/\/[^\s/?#.]+(?:\.[^\s/?#.]+)+(?:[/?#]\S*)?$/i;

/** Gravity Forms' own for its format `standard`, (###) ###-####; any other number has some digits. */
const PHONES: Record<string, RegExp> = { standard: /^\D?\d{3}\D?\D?\d{3}\D?\d{4}$/ };
const PHONE = /^(?:[^\d]*\d){3}/;

const DATE = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/;

/** A date as browsers write it (year first), or in the field's own order. */
function isDate(text: string, format: string): boolean {
  const [, first = '', second, third] = DATE.exec(text) ?? [];
  const parts = [first, second, third].map(Number);
  const order = first.length === 4 ? [0, 1, 2] : format.startsWith('dmy') ? [2, 1, 0] : [2, 0, 1];
  const [year = 0, month = 0, day = 0] = order.map((at) => parts[at] ?? 0);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** `{min}` or `{max}`, whichever the text has. */
const fill = (text: string, value: number) => text.replace(/\{(?:min|max)\}/, `${value}`);

const isAmong = (choices: Choice[], answer: string) => choices.some(({ value }) => value.trim() === answer);

function numberProblem({ format, min, max }: FormField, answer: string, texts: Texts): string | null {
  const number = numberIn(answer, format);
  if (number === null) return texts.number;
  if (min !== null && number < min) return fill(texts.least, min);
  return max !== null && number > max ? fill(texts.most, max) : null;
}

/** @param given Answers by control, in the order of the field's controls, without the space around them. */
function formatProblem(field: FormField, given: string[][], texts: Texts): string | null {
  const [answer = '', again = ''] = given.map(([first = '']) => first);
  switch (field.type) {
    case 'email':
      if (!EMAIL.test(answer)) return texts.email;
      return field.inputs.length > 1 && answer !== again ? texts.confirm : null;
    case 'website':
      return WEBSITE.test(answer) ? null : texts.website;
    case 'phone':
      return (PHONES[field.format] ?? PHONE).test(answer) ? null : texts.phone;
    case 'date':
      return isDate(answer, field.format) ? null : texts.date;
    case 'number':
      return numberProblem(field, answer, texts);
    case 'select':
    case 'multiselect':
    case 'radio':
      return given.flat().every((one) => isAmong(field.choices, one)) ? null : texts.choice;
    case 'checkbox':
      return given.every(([one], at) => one === undefined || isAmong(field.choices.slice(at, at + 1), one))
        ? null
        : texts.choice;
    case 'name':
      return field.inputs.every(
        ({ choices }, at) => choices.length === 0 || (given[at] ?? []).every((one) => isAmong(choices, one)),
      )
        ? null
        : texts.choice;
    default:
      return null;
  }
}

/** @returns What is wrong with a field's answers, `null` where nothing is. */
export function problemWith(field: FormField, answers: Answers, texts: Texts): string | null {
  const given = field.inputs.map(({ name }) =>
    [answers[name] ?? ''].flat().flatMap((answer) => (answer.trim() === '' ? [] : answer.trim())),
  );
  const isMissing = given.flat().length === 0 || field.inputs.some((input, at) => input.isRequired && !given[at]?.[0]);
  if (field.isRequired && isMissing) return field.errorMessage || texts.required;
  if (given.flat().length === 0) return null;
  // Refused rather than cut: what is delivered is what the visitor wrote.
  const max = Math.min(field.maxLength ?? LONGEST_ANSWER, LONGEST_ANSWER);
  if (given.flat().some((answer) => answer.length > max)) return fill(texts.long, max);
  const problem = formatProblem(field, given, texts);
  return problem && (field.errorMessage || problem);
}

/** Reads the answers to a form's own controls, and nothing else that was sent: of files their names. Line ends become plain ones. */
export function readAnswers({ fields }: Form, sent: FormData): Answers {
  const answers: Answers = {};
  for (const { type, inputs, upload } of fields) {
    for (const { name } of inputs) {
      // Gravity Forms' own pages send a list under `input_6[]`.
      const values = [...sent.getAll(name), ...sent.getAll(`${name}[]`)].flatMap((value) =>
        upload ? (value as File).name || [] : typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : [],
      );
      if (values.length > 0) answers[name] = type === 'multiselect' ? values : values.join(',');
    }
  }
  return answers;
}
