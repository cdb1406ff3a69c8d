import { MAX_UPLOAD_BYTES, MEGABYTE } from '@pillion/forms/files.ts';
import type {
  Choice,
  FieldFormat,
  FieldKind,
  FieldOptions,
  FormField,
  FormInput,
  Logic,
  Upload,
} from '@pillion/forms/form.ts';
import type { Kind } from '@pillion/forms/kind.ts';
import { isKind, KINDS } from '@pillion/forms/kinds.ts';
import { pictureOf } from '../../text/pictures.ts';
import { plainText } from '../../text/plain-text.ts';
import { inlineRichText, richText } from '../../text/rich-text.ts';
import type { Warn } from '../../wordpress/result.ts';
import type { Rewriter } from '../../wordpress/rewrite.ts';
import { PARTS } from './parts.ts';
import { readRule, type WireField, type WireForm, type WireInput } from './schemas.ts';

/** Reads a field of Gravity Forms. `FORMATS` and `OPTIONS` below read what only some kinds have. */

/** Not shown and not reported as missing, because the site has its own spam protection. */
const CAPTCHAS = ['captcha', 'turnstile'];

/** Lines of a text area, by the editor's choice of its size. */
const ROWS: Record<string, number> = { small: 3, large: 8 };
const DEFAULT_ROWS = 4;

/** Gravity Forms expects the answer of part `4.3` as `input_4_3`. */
export const inputName = (id: string | number) => `input_${String(id).replace('.', '_')}`;

/** A field of a kind that the site shows. */
type KnownField = WireField & { type: FieldKind };

const kindOf = ({ type }: KnownField): Kind => KINDS[type];

/** Their `choices` are not for a visitor: the checkbox of a consent, the columns of a list. */
const NOT_CHOICES: FieldKind[] = ['consent', 'list'];

/** Number of a part: `3` of the input `4.3`. */
const partOf = ({ id }: WireInput) => id.split('.')[1] ?? '';

/** A text field for a name is common and has no separate kind. */
const isNameLabel = (label: string) => /^(your |full )?name$/i.test(label.trim());

const autocompleteTokenOf = (field: WireField, token: string) => (field.enableAutocomplete && token) || null;

/** Removes tags such as `{user:email}` from a default value: only Gravity Forms can replace them. */
const withoutServerTags = (value: string) => value.replace(/\{[a-z_]+(?::[^{}]*)?\}/gi, '');

/** Query parameter that fills in a control; `null` if the editor does not allow it. */
const prefillOf = (field: WireField, parameter: string) => (field.allowsPrepopulate && parameter) || null;

const readChoices = (choices: WireField['choices']): Choice[] =>
  (choices ?? []).map(({ text, value, isSelected }) => ({
    text: plainText(text),
    value: value || plainText(text),
    isSelected,
  }));

/** Choices of a field, with their pictures, without the "other" choice. */
function choicesOf(field: KnownField, rewriter: Rewriter, warn: Warn): Choice[] {
  if (NOT_CHOICES.includes(field.type)) return [];
  const offered = (field.choices ?? []).filter(({ isOtherChoice }) => !isOtherChoice);
  const choices = readChoices(offered);
  if (!offered.some(({ picture }) => picture)) return choices;
  return choices.map((choice, at) => ({ ...choice, image: pictureOf(offered[at]?.picture ?? null, rewriter, warn) }));
}

function singleInput(field: KnownField): FormInput {
  const { autocomplete, isNeverPrefilled } = kindOf(field);
  const byKind = autocomplete ?? (field.type === 'text' && isNameLabel(field.label) ? 'name' : null);
  return {
    name: inputName(field.id),
    label: plainText(field.label),
    isRequired: field.isRequired,
    autocomplete: autocompleteTokenOf(field, field.autocompleteAttribute) ?? byKind,
    placeholder: plainText(field.placeholder),
    defaultValue: withoutServerTags(field.defaultValue),
    prefill: isNeverPrefilled ? null : prefillOf(field, field.inputName),
    choices: [],
  };
}

/** Whether the editor has hidden a part of a field. */
function isLeftOut(field: WireField, input: WireInput): boolean {
  if (input.isHidden) return true;
  if (field.type !== 'address') return false;
  // Gravity Forms sets the country of an address in a single country.
  const hidesCountry = field.hideCountry || ['us', 'canadian'].includes(field.addressType);
  return { 2: field.hideAddress2, 4: field.hideState, 6: hidesCountry }[partOf(input)] ?? false;
}

/** Default that an editor chose for a part of an address. */
function defaultPlace({ type, defaultCountry, defaultState, defaultProvince }: WireField, input: WireInput): string {
  if (type !== 'address') return '';
  return { 4: defaultState || defaultProvince, 6: defaultCountry }[partOf(input)] ?? '';
}

/** Controls of a field with several parts, without hidden ones. */
function partInputs(field: KnownField): FormInput[] {
  const { autocomplete = null } = kindOf(field);
  const parts = PARTS[field.type];
  return (field.inputs ?? [])
    .filter((input) => !isLeftOut(field, input))
    .map((input) => {
      const part = parts?.[partOf(input)];
      return {
        name: inputName(input.id),
        label: plainText(input.customLabel || input.label),
        // An email address with confirmation has no parts and requires both controls.
        isRequired: field.isRequired && (parts === undefined || part?.isNeeded === true),
        autocomplete: autocompleteTokenOf(field, input.autocompleteAttribute) ?? part?.autocomplete ?? autocomplete,
        placeholder: plainText(input.placeholder),
        defaultValue: withoutServerTags(input.defaultValue) || defaultPlace(field, input),
        // The boxes of a checkbox share one parameter.
        prefill: prefillOf(field, field.type === 'checkbox' ? field.inputName : input.name),
        // Those of a name's prefix, such as “Mr”. The choices of other kinds belong to the field.
        choices: field.type === 'name' ? readChoices(input.choices) : [],
      };
    });
}

const hasParts = (field: KnownField) =>
  PARTS[field.type] !== undefined || (field.type === 'email' && field.emailConfirmEnabled);

function inputsOf(field: KnownField): FormInput[] {
  if (kindOf(field).isSilent) return [];
  if (field.type === 'consent') return [{ ...singleInput(field), name: inputName(`${field.id}.1`) }];
  const parts = hasParts(field) ? partInputs(field) : [];
  return parts.length > 0 ? parts : [singleInput(field)];
}

/** A hidden field sends its preselected choices, as on Gravity Forms' own page. PHP reads names with `[0]` as a list. */
function withPreselected({ type }: KnownField, inputs: FormInput[], choices: Choice[]): FormInput[] {
  const selected = choices.filter(({ isSelected }) => isSelected).map(({ value }) => value);
  const [input] = inputs;
  if (type === 'multiselect' && input && input.prefill === null && selected.length > 0)
    return selected.map((defaultValue, at) => ({ ...input, name: `${input.name}[${at}]`, defaultValue }));
  return inputs.map((input, at) => {
    const offered = type === 'checkbox' ? choices.slice(at, at + 1) : [...choices, ...input.choices];
    const defaultValue = offered.find(({ isSelected }) => isSelected)?.value ?? input.defaultValue;
    return { ...input, defaultValue };
  });
}

/** Reads the condition under which a field, the submit button or a page's button is shown; `null`: always. */
export function logicOf(
  { id, conditionalLogic }: Pick<WireField, 'id' | 'conditionalLogic'>,
  warn: Warn,
): Logic | null {
  if (!conditionalLogic || conditionalLogic.enabled === false || conditionalLogic.rules.length === 0) return null;
  const rules = conditionalLogic.rules.map(readRule).filter((rule) => rule !== null);
  if (rules.length < conditionalLogic.rules.length) {
    // Applying only some of the rules could hide a field that must be shown.
    warn('content.field-logic-unreadable', { field: id });
    return null;
  }
  return {
    shows: conditionalLogic.actionType === 'show',
    needsAll: conditionalLogic.logicType === 'all',
    rules: rules.map(({ fieldId, operator, value }) => ({
      field: Number.parseInt(fieldId, 10),
      input: fieldId.includes('.') ? inputName(fieldId) : null,
      operator,
      value,
    })),
  };
}

const NUMBER_FORMATS: Record<string, FieldFormat> = { decimal_comma: 'decimal-comma', currency: 'currency' };
const FORMATS: { [K in FieldKind]?: (field: WireField) => FieldFormat } = {
  phone: ({ phoneFormat }) => (phoneFormat === 'standard' ? 'north-american' : ''),
  number: ({ numberFormat }) => NUMBER_FORMATS[numberFormat] ?? '',
  date: ({ dateFormat }) => (dateFormat.startsWith('dmy') ? 'day-first' : ''),
  // An empty format means 12 hours.
  time: ({ timeFormat }) => (timeFormat === '24' ? '' : '12-hours'),
};

/** Largest number of files if the editor set no limit. */
const MAX_FILES = 20;

/** @param known File extensions that WordPress accepts. It rejects others even if the field lists them. */
function uploadOf(
  { allowedExtensions, maxFileSize, multipleFiles, maxFiles }: WireField,
  known: string[] | null,
): Upload {
  const extensions = allowedExtensions.split(/[\s,;]+/).map((kind) => kind.toLowerCase().replace(/^[.*]+/, ''));
  const listed = [...new Set(extensions.filter((kind) => kind !== ''))];
  const accepted = listed.filter((kind) => known?.includes(kind) ?? true);
  return {
    // An empty list would accept every kind.
    kinds: accepted.length > 0 ? accepted : listed,
    ...(known && listed.length === 0 && { known }),
    maxBytes: Math.min(MAX_UPLOAD_BYTES, Math.floor((maxFileSize || Number.POSITIVE_INFINITY) * MEGABYTE)),
    maxFiles: multipleFiles ? Math.min(MAX_FILES, maxFiles || MAX_FILES) : 1,
  };
}

/** Limits of the number of choices, as in Gravity Forms. */
function choiceLimitOf(field: WireField): FieldOptions['checkbox']['choiceLimit'] {
  const { choiceLimit, choiceLimitNumber: exactly, choiceLimitMin: min, choiceLimitMax: max } = field;
  if (choiceLimit === 'exactly' && exactly) return { min: exactly, max: exactly };
  return choiceLimit === 'range' && (min || max) ? { min: min || null, max: max || null } : undefined;
}

/** The text input of the "other" choice. Gravity Forms expects this value and this name. */
function otherOf({ id, enableOtherChoice, choices }: WireField): FieldOptions['radio']['other'] {
  if (!enableOtherChoice) return undefined;
  const own = (choices ?? []).find(({ isOtherChoice }) => isOtherChoice);
  return { value: 'gf_other_choice', text: plainText(own?.text ?? ''), name: `${inputName(id)}_other` };
}

interface Context {
  /** Data that the plugin adds to the form. */
  additions: WireForm['pillion'];
  rewriter: Rewriter;
  warn: Warn;
}

/** An `undefined` member is left out of the field. */
type WithUndefined<Options> = { [Name in keyof Options]: Options[Name] | undefined };

/** Reads the members that only one kind of field has. */
const OPTIONS: {
  [K in keyof FieldOptions]: (field: WireField, context: Context) => WithUndefined<Required<FieldOptions[K]>>;
} = {
  consent: ({ checkboxLabel, label }, { rewriter, warn }) => ({
    consentHtml: inlineRichText(checkboxLabel || label, rewriter, warn),
  }),
  html: ({ content }, { rewriter, warn }) => ({ html: richText(content, rewriter, warn) }),
  fileupload: (field, { additions }) => ({ upload: uploadOf(field, additions?.files ?? null) }),
  checkbox: (field) => ({ choiceLimit: choiceLimitOf(field) }),
  radio: (field) => ({ other: otherOf(field) }),
  list: ({ enableColumns, choices, maxRows }) => ({
    columns: enableColumns ? (choices ?? []).map(({ text }) => plainText(text)) : undefined,
    maxRows: maxRows || undefined,
  }),
  number: ({ numberFormat }, { additions }) => ({
    currency: (numberFormat === 'currency' && additions?.currency) || undefined,
  }),
  page: ({ id, nextButton }, { warn }) => ({
    nextLogic: logicOf({ id, conditionalLogic: nextButton?.conditionalLogic }, warn) ?? undefined,
  }),
};

const hasOptions = (type: FieldKind): type is keyof FieldOptions => Object.hasOwn(OPTIONS, type);

/** Reads the optional members of a field. */
function optionsOf(field: KnownField, context: Context) {
  const { id, type } = field;
  const { additions } = context;
  const fixed = Object.entries(additions?.fixed ?? {}).filter(([name]) => name.startsWith(`${inputName(id)}_`));
  const options = {
    ...(hasOptions(type) && OPTIONS[type](field, context)),
    isUnique: (additions?.unique ?? []).includes(id) || undefined,
    fixed: fixed.length > 0 ? Object.fromEntries(fixed) : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Newer forms have separate types for multiple choices shown as boxes or buttons. */
const withPlainType = (field: WireField): WireField =>
  ['multi_choice', 'image_choice'].includes(field.type) ? { ...field, type: field.inputType } : field;

const isKnown = (field: WireField): field is KnownField => isKind(field.type);

/** @returns Gravity Forms' type of a field that cannot be shown; `null` if it can. */
export function unsupported(wire: WireField): string | null {
  const field = withPlainType(wire);
  return isKnown(field) || CAPTCHAS.includes(field.type) ? null : wire.type;
}

/** Reads a field for the page; `null` if the site cannot show it, or visitors do not fill it in. */
export function fieldOf(
  wire: WireField,
  additions: WireForm['pillion'],
  rewriter: Rewriter,
  warn: Warn,
): FormField | null {
  const field = withPlainType(wire);
  if (!isKnown(field)) return null;
  // Gravity Forms computes calculated fields.
  if (field.visibility === 'administrative' || field.enableCalculation) return null;
  const isHidden = field.type === 'hidden' || (field.visibility === 'hidden' && !kindOf(field).isSilent);
  const inputs = inputsOf(field);
  const choices = choicesOf(field, rewriter, warn);
  const result = {
    ...{ consentHtml: null, html: null, upload: null },
    ...optionsOf(field, { additions, rewriter, warn }),
    id: field.id,
    type: isHidden ? 'hidden' : field.type,
    label: plainText(field.label),
    description: plainText(field.description),
    // Visitors cannot fill in a hidden field.
    isRequired: field.isRequired && !isHidden,
    errorMessage: plainText(field.errorMessage),
    placeholder: plainText(field.placeholder),
    inputs: isHidden ? withPreselected(field, inputs, choices) : inputs,
    choices,
    format: FORMATS[field.type]?.(field) ?? '',
    maxLength: field.maxLength || null,
    min: field.rangeMin,
    max: field.rangeMax,
    rows: ROWS[field.size] ?? DEFAULT_ROWS,
    logic: logicOf(field, warn),
    ...(isHidden && { upload: null }),
  };
  // TypeScript cannot infer that the options match the kind, which is the key of `OPTIONS`. A hidden field keeps them.
  return result as FormField;
}
