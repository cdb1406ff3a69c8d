import type { Answers, FormField, Logic, LogicRule } from './form.ts';
import { numberIn } from './numbers.ts';

/** The same on the server and in the page: what is hidden here is neither asked nor kept there. */

const textsOf = (answer: Answers[string] | undefined): string[] => [answer ?? ''].flat().filter((text) => text !== '');

/** Compared as Gravity Forms compares: without regard to case, larger and smaller between numbers only. */
function matches(given: string, { operator, value }: LogicRule): boolean {
  const [answer, wanted] = [given.toLowerCase(), value.toLowerCase()];
  switch (operator) {
    case 'is':
      return answer === wanted;
    case 'isnot':
      return answer !== wanted;
    case '>':
      return (numberIn(answer) ?? Number.NaN) > (numberIn(wanted) ?? Number.NaN);
    case '<':
      return (numberIn(answer) ?? Number.NaN) < (numberIn(wanted) ?? Number.NaN);
    case 'contains':
      return wanted !== '' && answer.includes(wanted);
    case 'starts_with':
      return wanted !== '' && answer.startsWith(wanted);
    case 'ends_with':
      return wanted !== '' && answer.endsWith(wanted);
  }
}

/** Of several answers one is enough, but all of them must differ from what they must not be. */
function holds(rule: LogicRule, given: string[]): boolean {
  const answers = given.length > 0 ? given : [''];
  return rule.operator === 'isnot'
    ? answers.every((answer) => matches(answer, rule))
    : answers.some((answer) => matches(answer, rule));
}

/** The section and the page a field stands in: hidden, they hide it too. */
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

/** What conditional logic makes of a form, given these answers. What a hidden field was answered decides nothing. */
function judgeOf(fields: FormField[], answers: Answers) {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const around = surroundings(fields);
  const known = new Map<FormField, boolean>();

  function answersFor({ field: id, input }: LogicRule): string[] {
    const field = byId.get(id);
    if (!field || isHidden(field)) return [];
    return (input === null ? field.inputs.map(({ name }) => name) : [input]).flatMap((name) => textsOf(answers[name]));
  }

  function shows({ shows, needsAll, rules }: Logic): boolean {
    const test = (rule: LogicRule) => holds(rule, answersFor(rule));
    return shows === (needsAll ? rules.every(test) : rules.some(test));
  }

  function isHidden(field: FormField): boolean {
    const before = known.get(field);
    if (before !== undefined) return before;
    // Fields that wait for each other are asked.
    known.set(field, false);
    const isIt = (field.logic !== null && !shows(field.logic)) || (around.get(field) ?? []).some(isHidden);
    known.set(field, isIt);
    return isIt;
  }

  return { isHidden, shows };
}

/** @returns Ids of the fields that are not asked. */
export function hiddenFields(fields: FormField[], answers: Answers): Set<number> {
  const { isHidden } = judgeOf(fields, answers);
  return new Set(fields.filter(isHidden).map(({ id }) => id));
}

/** Whether a button can be pressed. @param logic Its own; `null`: it always can. */
export const isOffered = (logic: Logic | null | undefined, fields: FormField[], answers: Answers): boolean =>
  !logic || judgeOf(fields, answers).shows(logic);
