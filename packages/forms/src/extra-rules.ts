import { fillPlaceholder, type Rule } from './common-rules.ts';
import { extraKind } from './extra-kinds.ts';
import type { Choice, FieldFormat, FormField } from './form.ts';
import type { ExtraRule, Join } from './kind.ts';
import { parseNumber } from './numbers.ts';
import type { FormTexts } from './texts.ts';

/** Rules for the answers to less common kinds of field, and how several values are joined. */

/** Requires `http` or `https` and a dot in the host. Letters of any script are valid. */
const WEBSITE = /^https?:\/\/[^\s/?#.]+(?:\.[^\s/?#.]+)+(?:[/?#]\S*)?$/i;

const NORTH_AMERICAN_PHONE = /^\D?\d{3}\D?\D?\d{3}\D?\d{4}$/;
/** At least three digits. */
const PHONE = /^(?:[^\d]*\d){3}/;

/** Three numbers. `isDate` finds out their order. */
const DATE = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/;

/** 24 hours, up to 24:00, or 12 hours with am or pm. */
const TIME = /^(?:(?:[01]?\d|2[0-3]):[0-5]?\d|24:00?)$/;
const HALF_DAY_TIME = /^(?:0?[1-9]|1[0-2]):[0-5]?\d [ap]m$/i;

/** Whether the text is a date, in the browsers' format (year first) or in the field's order. */
function isDate(text: string, format: FieldFormat): boolean {
  const [, one = '', two = '', three = ''] = DATE.exec(text) ?? [];
  const isYearFirst = one.length === 4;
  const yearMonthDay = isYearFirst ? [one, two, three] : format === 'day-first' ? [three, two, one] : [three, one, two];
  const [year = 0, month = 0, day = 0] = yearMonthDay.map(Number);
  // Days that the month does not have become days of the next month.
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

/** Checks the number of selected boxes. `problemWith` has already handled an answer without a selected box. */
function choiceCountProblem({ choiceLimit }: FormField, count: number, texts: FormTexts): string | null {
  const { min = null, max = null } = choiceLimit ?? {};
  if (min !== null && min === max) return count === min ? null : fillPlaceholder(texts.choices_exactly, min);
  if (min !== null && count < min) return fillPlaceholder(texts.choices_least, min);
  return max !== null && count > max ? fillPlaceholder(texts.choices_most, max) : null;
}

/** Each box is a control. Its only valid value is the choice at the same position. */
function boxesProblem(field: FormField, given: string[][], texts: FormTexts): string | null {
  const isEachValid = given.every(([box], at) => box === undefined || box === field.choices[at]?.value.trim());
  return isEachValid ? choiceCountProblem(field, given.flat().length, texts) : texts.choice;
}

function radioProblem(
  { choices, other, isRequired }: FormField,
  [[answer = ''] = []]: string[][],
  texts: FormTexts,
  ownText: string,
) {
  if (!other || answer !== other.value) return isChoice(choices, answer) ? null : texts.choice;
  // Gravity Forms' own page fills the control with the label of the choice, which is not an answer.
  const hasOwnText = ownText !== '' && ownText.toLowerCase() !== other.text.toLowerCase();
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

/** The rule of each less common kind. @returns `null` also for common kinds. */
export const checkExtra: Rule = (field, ...given) =>
  RULES[extraKind(field.type)?.rule as ExtraRule]?.(field, ...given) ?? null;

/** @param values Cells of all rows, row by row. @param width Number of columns. */
function withoutEmptyRows(values: string[], width: number): string[] {
  const rows = Array.from({ length: Math.ceil(values.length / width) }, (_, row) =>
    Array.from({ length: width }, (_, at) => values[row * width + at] ?? ''),
  );
  return rows.filter((row) => row.some((value) => value.trim() !== '')).flat();
}

/** @returns `9:05 pm`; empty if the visitor gave neither hour nor minute, since am or pm is always selected. */
function joinTime(values: string[]): string {
  const [hour = '', minute = '', half = ''] = values.map((value) => value.trim());
  return hour + minute && `${hour}:${minute.padStart(2, '0')} ${half}`;
}

const JOINS: Record<Join, (values: string[], field: FormField) => string | string[]> = {
  each: (values) => values,
  rows: (values, { columns }) => withoutEmptyRows(values, columns?.length || 1),
  // A time of 24 hours has one control.
  time: (values) => (values.length < 3 ? values.join(',') : joinTime(values)),
};

/** Joins the values of one control name to one answer. */
export function joinExtra(field: FormField, values: string[]): string | string[] {
  const join = extraKind(field.type)?.joins;
  return join ? JOINS[join](values, field) : values.join(',');
}
