import { commonKind } from './common-kinds.ts';
import type { Answers, Form, FormField } from './form.ts';
import type { CommonRule } from './kind.ts';
import type { FormTexts } from './texts.ts';

/**
 * Reads and validates the answers to a form. This file covers the common kinds of field; `ExtraRules` cover the others.
 */

/**
 * Validates the answers to a field.
 * @param given Trimmed values by control, in the order of the field's controls; at least one.
 * @param ownText The visitor's text for the choice "Other".
 * @returns The error message; `null` if the answers are valid.
 */
export type Rule = (field: FormField, given: string[][], texts: FormTexts, ownText: string) => string | null;

/**
 * Rules of the less common kinds (`extra-rules.ts`). `null` if a form has no such fields, or their chunk is not loaded.
 */
export type ExtraRules = {
  checkExtra: Rule;
  joinExtra: (field: FormField, values: string[]) => string | string[];
} | null;

/** Maximum length of the answer to one control, in characters. */
const MAX_ANSWER_LENGTH = 10_000;

/** The rule of HTML for `type=email` (WHATWG, "valid e-mail address"), plus a required dot in the domain. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Replaces the placeholder. Uses a replacer function, because a file's name could contain patterns such as `$&`. */
export const fillPlaceholder = (text: string, value: number | string) => text.replace(/\{\w+\}/, () => `${value}`);

function emailProblem({ inputs }: FormField, given: string[][], texts: FormTexts): string | null {
  const [answer = '', again = ''] = given.map(([first = '']) => first);
  if (!EMAIL.test(answer)) return texts.email;
  return inputs.length > 1 && answer !== again ? texts.confirm : null;
}

const RULES: Record<CommonRule, Rule> = { email: emailProblem };

/**
 * Validates the answers to one field.
 * @param extra Without them only the server validates fields of less common kinds.
 * @returns The error message; `null` if the answers are valid.
 */
export function problemWith(
  field: FormField,
  answers: Answers,
  texts: FormTexts,
  extra: ExtraRules = null,
): string | null {
  const valuesByInput = field.inputs.map(({ name }) =>
    [answers[name] ?? ''].flat().flatMap((value) => value.trim() || []),
  );
  const isEmpty = valuesByInput.flat().length === 0;
  const isMissing = isEmpty || field.inputs.some((input, at) => input.isRequired && !valuesByInput[at]?.[0]);
  if (field.isRequired && isMissing) return field.errorMessage || texts.required;
  if (isEmpty) return null;
  const ownText = field.other ? `${answers[field.other.name] ?? ''}`.trim() : '';
  // Refused, not truncated: the delivered answer is exactly what the visitor wrote.
  const max = Math.min(field.maxLength ?? MAX_ANSWER_LENGTH, MAX_ANSWER_LENGTH);
  if ([...valuesByInput.flat(), ownText].some((value) => value.length > max)) return fillPlaceholder(texts.long, max);
  // Common kinds without a rule pass `checkExtra`, which ignores them.
  const rule = RULES[commonKind(field.type)?.rule as CommonRule] ?? extra?.checkExtra;
  const problem = rule?.(field, valuesByInput, texts, ownText);
  return problem ? field.errorMessage || problem : null;
}

/** Names of the controls of a field. */
export const namesOf = ({ inputs, other }: FormField) => [
  ...inputs.map(({ name }) => name),
  ...(other ? [other.name] : []),
];

/**
 * Reads the answers to the form's controls and ignores all other data. Of files it reads the names. Line breaks become
 * `\n`.
 * @param extra Without them several values of one control are joined with commas.
 */
export function readAnswers({ fields }: Form, sent: FormData, extra: ExtraRules = null): Answers {
  const answers: Answers = {};
  for (const field of fields) {
    for (const name of namesOf(field)) {
      // WordPress' own pages send a list as `name[]`.
      const values = [...sent.getAll(name), ...sent.getAll(`${name}[]`)].flatMap((value) =>
        field.upload ? (value as File).name || [] : typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : [],
      );
      if (values.length > 0) answers[name] = extra ? extra.joinExtra(field, values) : values.join(',');
    }
    // Own text counts only if its choice is selected.
    const { other, inputs } = field;
    if (other && answers[inputs[0]?.name ?? ''] !== other.value) delete answers[other.name];
  }
  return answers;
}
