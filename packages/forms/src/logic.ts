import type { Answers, FormField, Logic, LogicRule } from './form.ts';
import { parseNumber } from './numbers.ts';

/**
 * Conditional logic, used by the page and the server: hidden fields are not shown, and their answers are not stored.
 */

const textsOf = (answer: Answers[string] | undefined): string[] => [answer ?? ''].flat().filter((text) => text !== '');

/** Numbers without separators and symbols of the field's format. */
const normalizeNumber = (field: FormField, text: string): string =>
  field.type === 'number' && field.format !== '' ? `${parseNumber(text, field) ?? text}` : text;

const isAbove = (one: string, other: string) => (parseNumber(one) ?? Number.NaN) > (parseNumber(other) ?? Number.NaN);

/** Case-insensitive; `above` and `below` compare numbers only. */
function isMatch(given: string, { operator, value }: LogicRule): boolean {
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
function isRuleMet(rule: LogicRule, given: string[]): boolean {
  const answers = given.length > 0 ? given : [''];
  return rule.operator === 'differs'
    ? answers.every((answer) => isMatch(answer, rule))
    : answers.some((answer) => isMatch(answer, rule));
}

/** The section and the page that contain each field. If they are hidden, so is the field. */
function containersOf(fields: FormField[]): Map<FormField, FormField[]> {
  const containers = new Map<FormField, FormField[]>();
  let page: FormField | null = null;
  let section: FormField | null = null;
  for (const field of fields) {
    if (field.type === 'page') [page, section] = [field, null];
    else if (field.type === 'section') section = field;
    containers.set(field, [page, section].filter((outer) => outer !== null && outer !== field) as FormField[]);
  }
  return containers;
}

/** Evaluates the conditional logic of a form. Answers of hidden fields are ignored. */
function evaluate(fields: FormField[], answers: Answers) {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const containers = containersOf(fields);
  const hiddenByField = new Map<FormField, boolean>();

  function answersFor({ field: id, input }: LogicRule): string[] {
    const field = byId.get(id);
    if (!field || isHidden(field)) return [];
    const names = input === null ? field.inputs.map(({ name }) => name) : [input];
    return names.flatMap((name) => textsOf(answers[name])).map((text) => normalizeNumber(field, text));
  }

  /** Whether a field or button with this condition is shown. */
  function isShownBy({ shows, needsAll, rules }: Logic): boolean {
    const isMet = (rule: LogicRule) => {
      const field = byId.get(rule.field);
      // The values of `above` and `below` are plain numbers, not in the field's format.
      const isEquality = rule.operator === 'equals' || rule.operator === 'differs';
      const value = field && isEquality ? normalizeNumber(field, rule.value) : rule.value;
      return isRuleMet({ ...rule, value }, answersFor(rule));
    };
    return shows === (needsAll ? rules.every(isMet) : rules.some(isMet));
  }

  function isHidden(field: FormField): boolean {
    const cached = hiddenByField.get(field);
    if (cached !== undefined) return cached;
    // Ends the recursion of fields that depend on each other: they are shown.
    hiddenByField.set(field, false);
    const isFieldHidden =
      (field.logic !== null && !isShownBy(field.logic)) || (containers.get(field) ?? []).some(isHidden);
    hiddenByField.set(field, isFieldHidden);
    return isFieldHidden;
  }

  return { isHidden, shows: isShownBy };
}

/** @returns Ids of the hidden fields. */
export function hiddenFields(fields: FormField[], answers: Answers): Set<number> {
  const { isHidden } = evaluate(fields, answers);
  return new Set(fields.filter(isHidden).map(({ id }) => id));
}

/** Whether a button is available. @param logic The button's condition; `null`: always available. */
export const isOffered = (logic: Logic | null | undefined, fields: FormField[], answers: Answers): boolean =>
  !logic || evaluate(fields, answers).shows(logic);
