import { commonKind } from './common-kinds.ts';
import type { Answers, Form, FormField } from './form.ts';
import type { CommonJudge } from './kind.ts';
import type { FormTexts } from './texts.ts';

/** Judges and reads the answers to a form. It knows the common kinds of field; the rest comes as `RareRules`. */

/**
 * @param given Values by control, in the order of the field's controls, without the space around them; one at least.
 * @param own The visitor's own words, where she chose to write some.
 * @returns What is wrong, `null` where nothing is.
 */
export type Judge = (field: FormField, given: string[][], texts: FormTexts, own: string) => string | null;

/** Rules of the rare kinds (`rare-rules.ts`). `null` where a form has no such fields, or their chunk has not come. */
export type RareRules = {
  judgeRare: Judge;
  joinRare: (field: FormField, values: string[]) => string | string[];
} | null;

/** Longest answer to one control, in characters: more than any real one, less than would fill a store. */
const LONGEST_ANSWER = 10_000;

/** What Gravity Forms takes where the answer is in the visitor's own words. */
export const OTHER = 'gf_other_choice';

/** HTML's own rule for `type=email` (WHATWG, "valid e-mail address"), and a dot in the domain. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** `{min}` or `{max}`, whichever the text has. */
export const fill = (text: string, value: number) => text.replace(/\{(?:min|max)\}/, `${value}`);

function emailProblem({ inputs }: FormField, given: string[][], texts: FormTexts): string | null {
  const [answer = '', again = ''] = given.map(([first = '']) => first);
  if (!EMAIL.test(answer)) return texts.email;
  return inputs.length > 1 && answer !== again ? texts.confirm : null;
}

const JUDGES: Record<CommonJudge, Judge> = { email: emailProblem };

/**
 * Judges the answers to one field.
 * @param rare Without them fields of rare kinds are for the server to judge.
 * @returns What is wrong, `null` where nothing is.
 */
export function problemWith(
  field: FormField,
  answers: Answers,
  texts: FormTexts,
  rare: RareRules = null,
): string | null {
  const given = field.inputs.map(({ name }) =>
    [answers[name] ?? ''].flat().flatMap((value) => (value.trim() === '' ? [] : value.trim())),
  );
  const isMissing = given.flat().length === 0 || field.inputs.some((input, at) => input.isRequired && !given[at]?.[0]);
  if (field.isRequired && isMissing) return field.errorMessage || texts.required;
  const own = field.other ? `${answers[field.other.name] ?? ''}`.trim() : '';
  const all = [...given.flat(), own];
  if (given.flat().length === 0) return null;
  // Refused rather than cut: what is delivered is what the visitor wrote.
  const max = Math.min(field.maxLength ?? LONGEST_ANSWER, LONGEST_ANSWER);
  if (all.some((value) => value.length > max)) return fill(texts.long, max);
  const judge = JUDGES[commonKind(field.type)?.judge as CommonJudge] ?? rare?.judgeRare;
  const problem = judge?.(field, given, texts, own);
  return problem ? field.errorMessage || problem : null;
}

/** Names of the controls in which a field is answered. */
export const namesOf = ({ inputs, other }: FormField) => [
  ...inputs.map(({ name }) => name),
  ...(other ? [other.name] : []),
];

/**
 * Reads the answers to a form's own controls, and nothing else that was sent: of files their names. Line ends become plain
 * ones.
 * @param rare Without them several values of one control become a text with commas.
 */
export function readAnswers({ fields }: Form, sent: FormData, rare: RareRules = null): Answers {
  const answers: Answers = {};
  for (const field of fields) {
    for (const name of namesOf(field)) {
      // Gravity Forms' own pages send a list under `input_6[]`.
      const values = [...sent.getAll(name), ...sent.getAll(`${name}[]`)].flatMap((value) =>
        field.upload ? (value as File).name || [] : typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : [],
      );
      if (values.length > 0) answers[name] = rare ? rare.joinRare(field, values) : values.join(',');
    }
    // Words in the field beside a choice that was not made.
    const { other, inputs } = field;
    if (other && answers[inputs[0]?.name ?? ''] !== OTHER) delete answers[other.name];
  }
  return answers;
}
