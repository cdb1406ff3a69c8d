import type { Choice, FormField, FormInput, Logic, Upload } from '../../app/content/types.ts';
import { LARGEST_UPLOAD, MEGABYTE } from '../../app/sections/sign-up/files.ts';
import { readRule, type WireField, type WireInput } from './form-schemas.ts';
import { plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import { inlineRichText, richText } from './rich-text.ts';

/** Gravity Forms' field types that the page knows how to show; another is left out and logged. */
const HANDLED = new Set([
  ...['text', 'textarea', 'email', 'phone', 'website', 'number', 'name', 'address', 'hidden'],
  ...['select', 'multiselect', 'radio', 'checkbox', 'consent', 'date', 'time', 'html', 'section', 'page'],
  'fileupload',
]);

/** Fields that ask nothing. */
const SILENT = ['html', 'section', 'page'];

/** Tokens of the WHATWG autofill field list, for fields of one control. */
const AUTOCOMPLETE: Record<string, string> = { email: 'email', phone: 'tel', website: 'url' };

/** The same for parts of a name or an address, by the number Gravity Forms gives each part. */
const PART_AUTOCOMPLETE: Record<string, Record<string, string>> = {
  name: { 2: 'honorific-prefix', 3: 'given-name', 4: 'additional-name', 6: 'family-name', 8: 'honorific-suffix' },
  address: {
    1: 'address-line1',
    2: 'address-line2',
    3: 'address-level2',
    4: 'address-level1',
    5: 'postal-code',
    6: 'country-name',
  },
};

/** Parts without which Gravity Forms takes a required name or address for missing. */
const NEEDED_PARTS: Record<string, string[]> = { name: ['3', '6'], address: ['1', '3', '4', '5', '6'] };

const ROWS: Record<string, number> = { small: 3, large: 8 };

/** Gravity Forms takes answers as `input_4_3` for the part it calls `4.3`. */
export const inputName = (id: string | number) => `input_${String(id).replace('.', '_')}`;

const partOf = ({ id }: WireInput) => id.split('.')[1] ?? '';

/** A plain text field asked for a name is the commonest there is, and has no type of its own. */
const isNameLabel = (label: string) => /^(your |full )?name$/i.test(label.trim());

const editorsToken = (field: WireField, token: string) => (field.enableAutocomplete && token) || null;

/** Gravity Forms fills `{user:email}` and its like in itself; here they would be read as they stand. */
const withoutMergeTags = (value: string) => value.replace(/\{[a-z_]+(?::[^{}]*)?\}/gi, '');

const prefillOf = (field: WireField, name: string) => (field.allowsPrepopulate && name) || null;

const readChoices = (choices: WireField['choices']): Choice[] =>
  (choices ?? []).map(({ text, value, isSelected }) => ({
    text: plainText(text),
    value: value || plainText(text),
    isSelected,
  }));

function singleInput(field: WireField): FormInput {
  const byType = AUTOCOMPLETE[field.type] ?? (field.type === 'text' && isNameLabel(field.label) ? 'name' : null);
  return {
    name: inputName(field.id),
    label: plainText(field.label),
    isRequired: field.isRequired,
    autocomplete: editorsToken(field, field.autocompleteAttribute) ?? byType,
    placeholder: plainText(field.placeholder),
    defaultValue: withoutMergeTags(field.defaultValue),
    // No page may choose a visitor's file.
    prefill: field.type === 'fileupload' ? null : prefillOf(field, field.inputName),
    choices: [],
  };
}

function isLeftOut(field: WireField, input: WireInput): boolean {
  if (input.isHidden) return true;
  if (field.type !== 'address') return false;
  // Of an address in one country Gravity Forms knows the country.
  const hasCountry = field.hideCountry || ['us', 'canadian'].includes(field.addressType);
  return { 2: field.hideAddress2, 4: field.hideState, 6: hasCountry }[partOf(input)] ?? false;
}

/** Parts of a name, an address, an address written twice or a set of boxes; those the editor hid are left out. */
function partInputs(field: WireField): FormInput[] {
  return (field.inputs ?? [])
    .filter((input) => !isLeftOut(field, input))
    .map((input) => ({
      name: inputName(input.id),
      label: plainText(input.customLabel || input.label),
      isRequired: field.isRequired && (NEEDED_PARTS[field.type]?.includes(partOf(input)) ?? field.type === 'email'),
      autocomplete:
        editorsToken(field, input.autocompleteAttribute) ??
        PART_AUTOCOMPLETE[field.type]?.[partOf(input)] ??
        AUTOCOMPLETE[field.type] ??
        null,
      placeholder: plainText(input.placeholder),
      defaultValue: withoutMergeTags(input.defaultValue),
      prefill: prefillOf(field, field.type === 'checkbox' ? field.inputName : input.name),
      choices: field.type === 'name' ? readChoices(input.choices) : [],
    }));
}

const hasParts = ({ type, emailConfirmEnabled }: WireField) =>
  ['name', 'address', 'checkbox'].includes(type) || (type === 'email' && emailConfirmEnabled);

function inputsOf(field: WireField): FormInput[] {
  if (SILENT.includes(field.type)) return [];
  if (field.type === 'consent') return [{ ...singleInput(field), name: inputName(`${field.id}.1`) }];
  const parts = hasParts(field) ? partInputs(field) : [];
  return parts.length > 0 ? parts : [singleInput(field)];
}

function logicOf({ id, conditionalLogic }: WireField, warn: Warn): Logic | null {
  if (!conditionalLogic || conditionalLogic.enabled === false || conditionalLogic.rules.length === 0) return null;
  const rules = conditionalLogic.rules.map(readRule).filter((rule) => rule !== null);
  if (rules.length < conditionalLogic.rules.length) {
    // Rules that hold in part could hide what has to be asked.
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

const formatOf = ({ type, numberFormat, phoneFormat, dateFormat }: WireField): string =>
  ({ number: numberFormat, phone: phoneFormat, date: dateFormat })[type] ?? '';

/** Files of a field where the editor named no number: more than any visitor has, less than a flood. */
const MOST_FILES = 20;

function uploadOf({ type, allowedExtensions, maxFileSize, multipleFiles, maxFiles }: WireField): Upload | null {
  if (type !== 'fileupload') return null;
  const kinds = allowedExtensions.split(/[\s,;]+/).map((kind) => kind.toLowerCase().replace(/^[.*]+/, ''));
  return {
    kinds: [...new Set(kinds.filter((kind) => kind !== ''))],
    maxBytes: Math.min(LARGEST_UPLOAD, Math.floor((maxFileSize || Number.POSITIVE_INFINITY) * MEGABYTE)),
    maxFiles: multipleFiles ? Math.min(MOST_FILES, maxFiles || MOST_FILES) : 1,
  };
}

/** What shows several answers as boxes or buttons has a type of its own in newer forms. */
const withPlainType = (field: WireField): WireField =>
  ['multi_choice', 'image_choice'].includes(field.type) ? { ...field, type: field.inputType } : field;

/** Why a field cannot be shown, in Gravity Forms' own words; `null` where it can. */
export function unsupported(wire: WireField): string | null {
  const { type, enableCalculation, timeFormat } = withPlainType(wire);
  if (!HANDLED.has(type)) return wire.type;
  if (enableCalculation) return 'calculation';
  // A browser's time has 24 hours, which Gravity Forms refuses in a field of twelve.
  return type === 'time' && timeFormat !== '24' ? 'time of 12 hours' : null;
}

/** What the page asks of a field, or `null` where it is the administrator's alone. */
export function fieldOf(wire: WireField, rewriter: Rewriter, warn: Warn): FormField | null {
  const field = withPlainType(wire);
  const isHidden = field.type === 'hidden' || (field.visibility === 'hidden' && !SILENT.includes(field.type));
  if (field.visibility === 'administrative') return null;
  return {
    id: field.id,
    type: isHidden ? 'hidden' : field.type,
    label: plainText(field.label),
    description: plainText(field.description),
    // Nobody could fill it in.
    isRequired: field.isRequired && !isHidden,
    errorMessage: plainText(field.errorMessage),
    placeholder: plainText(field.placeholder),
    inputs: inputsOf(field),
    choices: field.type === 'consent' ? [] : readChoices(field.choices),
    consentHtml: field.type === 'consent' ? inlineRichText(field.checkboxLabel || field.label, rewriter, warn) : null,
    html: field.type === 'html' ? richText(field.content, rewriter, warn) : null,
    format: formatOf(field),
    maxLength: field.maxLength || null,
    min: field.rangeMin,
    max: field.rangeMax,
    rows: ROWS[field.size] ?? 4,
    upload: isHidden ? null : uploadOf(field),
    logic: logicOf(field, warn),
  };
}
