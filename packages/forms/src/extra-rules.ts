import { fillPlaceholder, type Rule } from './common-rules.ts';
import { extraKind } from './extra-kinds.ts';
import type { Choice, FieldFormat, FormField } from './form.ts';
import type { ExtraRule, Join } from './kind.ts';
import { parseNumber } from './numbers.ts';
import type { FormTexts } from './texts.ts';

/** Rules for the answers to less common kinds of field, and how several values are joined. */

const WEBSITE = /^https?:\/\/[^\s/?#.]+(?:\.[^\s/?#.]+)+(?:[/?#]\S*)?$/i;

const NORTH_AMERICAN_PHONE = /^\D?\d{3}\D?\D?\d{3}\D?\d{4}$/;
/** At least three digits. */
const PHONE = /^(?:[^\d]*\d){3}/;

const DATE = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/;

/** 24 hours, up to 24:00, or 12 hours with am or pm. */
const TIME = /^(?:(?:[01]?\d|2[0-3]):[0-5]?\d|24:00?)$/;
const HALF_DAY_TIME = /^(?:0?[1-9]|1[0-2]):[0-5]?\d [ap]m$/i;

/** Whether the text is a date, in the browsers' format (year first) or in the field's order. */
function isDate(text: string, format: FieldFormat): boolean {
  const [, one = '', two = '', three = ''] = DATE.exec(text) ?? [];
  const inOrder = one.length === 4 ? [one, two, three] : format === 'day-first' ? [three, two, one] : [three, one, two];
  const [year = 0, month = 0, day = 0] = inOrder.map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const isChoice = (choices: Choice[], answer: string) => choices.some(({ value }) => value.trim() === answer);

function numberProblem(field: FormField, [[answer = ''] = []]: string[][], texts: FormTexts): string | null {
  const { min, max } = field;
  const number = parseNumber(answer, field);
  if (number === null) return texts.number;
  if (min !== null && number < min) return fillPlaceholder(texts.least, min);
  return max !== null && number > max ? fillPlaceholder(texts.most, max) : null;
}

/** Checks the number of selected boxes. An empty answer is the matter of `isRequired`. */
function choiceCountProblem({ choiceLimit }: FormField, count: number, texts: FormTexts): string | null {
  const { min = null, max = null } = choiceLimit ?? {};
  const isTooFew = min !== null && count < min;
  const isTooMany = max !== null && count > max;
  if (!isTooFew && !isTooMany) return null;
  if (min !== null && min === max) return fillPlaceholder(texts.choices_exactly, min);
  return isTooFew ? fillPlaceholder(texts.choices_least, min) : fillPlaceholder(texts.choices_most, max ?? 0);
}

function boxesProblem(field: FormField, given: string[][], texts: FormTexts): string | null {
  const isOffered = given.every(([one], at) => one === undefined || isChoice(field.choices.slice(at, at + 1), one));
  return isOffered ? choiceCountProblem(field, given.flat().length, texts) : texts.choice;
}

function radioProblem(
  { choices, other, isRequired }: FormField,
  [[answer = ''] = []]: string[][],
  texts: FormTexts,
  own: string,
) {
  if (!other || answer !== other.value) return isChoice(choices, answer) ? null : texts.choice;
  // The text that the field shows when it is empty is not an answer.
  const hasOwnText = own !== '' && own.toLowerCase() !== other.text.toLowerCase();
  return isRequired && !hasOwnText ? texts.required : null;
}

/** A part with choices, such as the titles of a name, accepts no other value. */
const partsProblem: Rule = ({ inputs }, given, texts) =>
  inputs.every(
    ({ choices }, at) => choices.length === 0 || (given[at] ?? []).every((value) => isChoice(choices, value)),
  )
    ? null
    : texts.choice;

/** A rule that checks only the value of the first control. */
const ruleOfFirstValue =
  (isValid: (value: string, field: FormField) => boolean, message: keyof FormTexts): Rule =>
  (field, [[value = ''] = []], texts) =>
    isValid(value, field) ? null : `${texts[message]}`;

const RULES: Record<ExtraRule, Rule> = {
  website: ruleOfFirstValue((value) => WEBSITE.test(value), 'website'),
  phone: ruleOfFirstValue(
    (value, { format }) => (format === 'north-american' ? NORTH_AMERICAN_PHONE : PHONE).test(value),
    'phone',
  ),
  date: ruleOfFirstValue((value, { format }) => isDate(value, format), 'date'),
  time: ruleOfFirstValue((value, { format }) => (format === '12-hours' ? HALF_DAY_TIME : TIME).test(value), 'time'),
  number: numberProblem,
  choice: ({ choices }, given, texts) =>
    given.flat().every((value) => isChoice(choices, value)) ? null : texts.choice,
  radio: radioProblem,
  boxes: boxesProblem,
  parts: partsProblem,
};

export const checkExtra: Rule = (field, ...given) =>
  RULES[extraKind(field.type)?.rule as ExtraRule]?.(field, ...given) ?? null;

function withoutEmptyRows(values: string[], width: number): string[] {
  const rows = Array.from({ length: Math.ceil(values.length / width) }, (_, row) =>
    Array.from({ length: width }, (_, at) => values[row * width + at] ?? ''),
  );
  return rows.filter((row) => row.some((value) => value.trim() !== '')).flat();
}

/** Joins hour, minute and am or pm. */
function joinTime(values: string[]): string {
  const [hour = '', minute = '', half = ''] = values.map((value) => value.trim());
  return hour + minute && `${hour}:${minute.padStart(2, '0')} ${half}`;
}

const JOINS: Record<Join, (values: string[], field: FormField) => string | string[]> = {
  each: (values) => values,
  rows: (values, { columns }) => withoutEmptyRows(values, columns?.length || 1),
  time: (values) => (values.length < 3 ? values.join(',') : joinTime(values)),
};

/** Joins the values of one control name to one answer. */
export function joinExtra(field: FormField, values: string[]): string | string[] {
  const join = extraKind(field.type)?.joins;
  return join ? JOINS[join](values, field) : values.join(',');
}
