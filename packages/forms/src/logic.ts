import type { Answers, FormField, Logic, LogicRule } from './form.ts';
import { numberIn } from './numbers.ts';

/**
 * Conditional logic, used by the page and the server: hidden fields are not shown, and their answers are not stored.
 */

const textsOf = (answer: Answers[string] | undefined): string[] => [answer ?? ''].flat().filter((text) => text !== '');

/** Numbers without separators and symbols of the field's format. */
const plain = (field: FormField, text: string): string =>
  field.type === 'number' && field.format !== '' ? `${numberIn(text, field) ?? text}` : text;

const isAbove = (one: string, other: string) => (numberIn(one) ?? Number.NaN) > (numberIn(other) ?? Number.NaN);

/** Case-insensitive; `above` and `below` compare numbers only. */
function matches(given: string, { operator, value }: LogicRule): boolean {
  const [answer, wanted] = [given.toLowerCase(), value.toLowerCase()];
  switch (operator) {
    case 'equals':
      return answer === wanted;
    case 'differs':
      return answer !== wanted;
    case 'above':
      return isAbove(answer, wanted);
    case 'below':
      return isAbove(wanted, answer);
    case 'contains':
      return wanted !== '' && answer.includes(wanted);
    case 'starts':
      return wanted !== '' && answer.startsWith(wanted);
    case 'ends':
      return wanted !== '' && answer.endsWith(wanted);
  }
}

/** One of several answers must match; for `differs`, all of them must differ. */
function holds(rule: LogicRule, given: string[]): boolean {
  const answers = given.length > 0 ? given : [''];
  return rule.operator === 'differs'
    ? answers.every((answer) => matches(answer, rule))
    : answers.some((answer) => matches(answer, rule));
}

/** The section and the page that contain each field. If they are hidden, so is the field. */
function surroundings(fields: FormField[]): Map<FormField, FormField[]> {
  const around = new Map<FormField, FormField[]>();
  let page: FormField | null = null;
  let section: FormField | null = null;
  for (const field of fields) {
    if (field.type === 'page') [page, section] = [field, null];
    else if (field.type === 'section') section = field;
    around.set(field, [page, section].filter((outer) => outer !== null && outer !== field) as FormField[]);
  }
  return around;
}

/** Evaluates the conditional logic of a form. Answers of hidden fields are ignored. */
function evaluate(fields: FormField[], answers: Answers) {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const around = surroundings(fields);
  const known = new Map<FormField, boolean>();

  function answersFor({ field: id, input }: LogicRule): string[] {
    const field = byId.get(id);
    if (!field || isHidden(field)) return [];
    const names = input === null ? field.inputs.map(({ name }) => name) : [input];
    return names.flatMap((name) => textsOf(answers[name])).map((text) => plain(field, text));
  }

  function shows({ shows, needsAll, rules }: Logic): boolean {
    const test = (rule: LogicRule) => {
      const field = byId.get(rule.field);
      // `above` and `below` are written without the field's format.
      const isEquality = rule.operator === 'equals' || rule.operator === 'differs';
      const value = field && isEquality ? plain(field, rule.value) : rule.value;
      return holds({ ...rule, value }, answersFor(rule));
    };
    return shows === (needsAll ? rules.every(test) : rules.some(test));
  }

  function isHidden(field: FormField): boolean {
    const before = known.get(field);
    if (before !== undefined) return before;
    // Fields that depend on each other are shown.
    known.set(field, false);
    const isIt = (field.logic !== null && !shows(field.logic)) || (around.get(field) ?? []).some(isHidden);
    known.set(field, isIt);
    return isIt;
  }

  return { isHidden, shows };
}

/** @returns Ids of the hidden fields. */
export function hiddenFields(fields: FormField[], answers: Answers): Set<number> {
  const { isHidden } = evaluate(fields, answers);
  return new Set(fields.filter(isHidden).map(({ id }) => id));
}

/** Whether a button is available. @param logic The button's condition; `null`: always available. */
export const isOffered = (logic: Logic | null | undefined, fields: FormField[], answers: Answers): boolean =>
  !logic || evaluate(fields, answers).shows(logic);
