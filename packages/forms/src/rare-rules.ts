import { fill, type Judge, OTHER } from './common-rules.ts';
import type { Choice, FormField } from './form.ts';
import type { Join, RareJudge } from './kind.ts';
import { numberIn } from './numbers.ts';
import { rareKind } from './rare-kinds.ts';
import type { FormTexts } from './texts.ts';

/** What answers to the rare kinds of field must be, and how they are put together. */

const WEBSITE = /^https?:\/\/[^\s/?#.]+(?:\.[^\s/?#.]+)+(?:[/?#]\S*)?$/i;

/** Gravity Forms' own for its format `standard`, (###) ###-####; any other number has some digits. */
const PHONES: Record<string, RegExp> = { standard: /^\D?\d{3}\D?\D?\d{3}\D?\d{4}$/ };
const PHONE = /^(?:[^\d]*\d){3}/;

const DATE = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/;

/** As Gravity Forms takes it: of 24 hours, whose last minute is 24:00, or of twelve and a half of the day. */
const TIME = /^(?:(?:[01]?\d|2[0-3]):[0-5]?\d|24:00?)$/;
const HALF_DAY_TIME = /^(?:0?[1-9]|1[0-2]):[0-5]?\d [ap]m$/i;

/** A date as browsers write it (year first), or in the field's own order. */
function isDate(text: string, format: string): boolean {
  const [, first = '', second, third] = DATE.exec(text) ?? [];
  const parts = [first, second, third].map(Number);
  const order = first.length === 4 ? [0, 1, 2] : format.startsWith('dmy') ? [2, 1, 0] : [2, 0, 1];
  const [year = 0, month = 0, day = 0] = order.map((at) => parts[at] ?? 0);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const isAmong = (choices: Choice[], answer: string) => choices.some(({ value }) => value.trim() === answer);

function numberProblem(field: FormField, [[answer = ''] = []]: string[][], texts: FormTexts): string | null {
  const { min, max } = field;
  const number = numberIn(answer, field);
  if (number === null) return texts.number;
  if (min !== null && number < min) return fill(texts.least, min);
  return max !== null && number > max ? fill(texts.most, max) : null;
}

/** Too few or too many boxes; none at all is another matter. */
function countProblem({ choiceLimit }: FormField, count: number, texts: FormTexts): string | null {
  const { min = null, max = null } = choiceLimit ?? {};
  const isFew = min !== null && count < min;
  const isMany = max !== null && count > max;
  if (!isFew && !isMany) return null;
  if (min !== null && min === max) return fill(texts.choices_exactly, min);
  return isFew ? fill(texts.choices_least, min) : fill(texts.choices_most, max ?? 0);
}

function boxesProblem(field: FormField, given: string[][], texts: FormTexts): string | null {
  const isOffered = given.every(([one], at) => one === undefined || isAmong(field.choices.slice(at, at + 1), one));
  return isOffered ? countProblem(field, given.flat().length, texts) : texts.choice;
}

function radioProblem(
  { choices, other, isRequired }: FormField,
  [[answer = ''] = []]: string[][],
  texts: FormTexts,
  own: string,
) {
  if (!other || answer !== OTHER) return isAmong(choices, answer) ? null : texts.choice;
  // The words that stand in the empty field are nobody's answer.
  const isSaid = own !== '' && own.toLowerCase() !== other.text.toLowerCase();
  return isRequired && !isSaid ? texts.required : null;
}

/** A part that offers choices, as the titles of a name do, takes no other word. */
const partsProblem: Judge = ({ inputs }, given, texts) =>
  inputs.every(({ choices }, at) => choices.length === 0 || (given[at] ?? []).every((value) => isAmong(choices, value)))
    ? null
    : texts.choice;

/** A judge of the first control's value alone. */
const ofFirst =
  (isGood: (value: string, field: FormField) => boolean, message: keyof FormTexts): Judge =>
  (field, [[value = ''] = []], texts) =>
    isGood(value, field) ? null : `${texts[message]}`;

const JUDGES: Record<RareJudge, Judge> = {
  website: ofFirst((value) => WEBSITE.test(value), 'website'),
  phone: ofFirst((value, { format }) => (PHONES[format] ?? PHONE).test(value), 'phone'),
  date: ofFirst((value, { format }) => isDate(value, format), 'date'),
  time: ofFirst((value, { format }) => (format === '12' ? HALF_DAY_TIME : TIME).test(value), 'time'),
  number: numberProblem,
  choice: ({ choices }, given, texts) => (given.flat().every((value) => isAmong(choices, value)) ? null : texts.choice),
  radio: radioProblem,
  boxes: boxesProblem,
  parts: partsProblem,
};

export const judgeRare: Judge = (field, ...given) =>
  JUDGES[rareKind(field.type)?.judge as RareJudge]?.(field, ...given) ?? null;

function withoutEmptyRows(values: string[], width: number): string[] {
  const rows = Array.from({ length: Math.ceil(values.length / width) }, (_, row) =>
    Array.from({ length: width }, (_, at) => values[row * width + at] ?? ''),
  );
  return rows.filter((row) => row.some((value) => value.trim() !== '')).flat();
}

/** Hour, minute and half of the day become a time, as Gravity Forms writes it. */
function timeOf(values: string[]): string {
  const [hour = '', minute = '', half = ''] = values.map((value) => value.trim());
  return hour + minute && `${hour}:${minute.padStart(2, '0')} ${half}`;
}

const JOINS: Record<Join, (values: string[], field: FormField) => string | string[]> = {
  each: (values) => values,
  rows: (values, { columns }) => withoutEmptyRows(values, columns?.length || 1),
  time: (values) => (values.length < 3 ? values.join(',') : timeOf(values)),
};

/** Makes one answer of the values that one control name was sent with. */
export function joinRare(field: FormField, values: string[]): string | string[] {
  const join = rareKind(field.type)?.joins;
  return join ? JOINS[join](values, field) : values.join(',');
}
