import type { Choice, Form, FormField, FormInput } from '../../app/content/types.ts';
import { plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import { inlineRichText, richText } from './rich-text.ts';
import { fieldSchema, type WireField, type WireForm } from './schemas.ts';

/** Gravity Forms' field types that the page knows how to show; another is left out and logged. */
const HANDLED = new Set([
  ...['text', 'textarea', 'email', 'phone', 'website', 'number', 'name', 'address', 'hidden', 'html'],
  ...['select', 'radio', 'checkbox', 'consent', 'date', 'time'],
]);

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

/** Gravity Forms takes answers as `input_4_3` for the part it calls `4.3`. */
const inputName = (id: string | number) => `input_${String(id).replace('.', '_')}`;

/** A plain text field asked for a name is the commonest there is, and has no type of its own. */
const isNameLabel = (label: string) => /^(your |full )?name$/i.test(label.trim());

const editorsToken = (field: WireField, token: string) => (field.enableAutocomplete && token) || null;

function singleInput(field: WireField): FormInput {
  const byType = AUTOCOMPLETE[field.type] ?? (field.type === 'text' && isNameLabel(field.label) ? 'name' : null);
  return {
    name: inputName(field.id),
    label: plainText(field.label),
    autocomplete: editorsToken(field, field.autocompleteAttribute) ?? byType,
    placeholder: plainText(field.placeholder),
  };
}

/** Parts of a name, an address or a set of boxes; those the editor hid are left out. */
function partInputs(field: WireField): FormInput[] {
  return (field.inputs ?? [])
    .filter((input) => !input.isHidden)
    .map((input) => ({
      name: inputName(input.id),
      label: plainText(input.customLabel || input.label),
      autocomplete:
        editorsToken(field, input.autocompleteAttribute) ??
        PART_AUTOCOMPLETE[field.type]?.[input.id.split('.')[1] ?? ''] ??
        null,
      placeholder: plainText(input.placeholder),
    }));
}

function inputsOf(field: WireField): FormInput[] {
  if (field.type === 'html') return [];
  if (field.type === 'consent') return [{ ...singleInput(field), name: inputName(`${field.id}.1`) }];
  const parts = ['name', 'address', 'checkbox', 'time'].includes(field.type) ? partInputs(field) : [];
  return parts.length > 0 ? parts : [singleInput(field)];
}

const choicesOf = (field: WireField): Choice[] =>
  field.type === 'consent'
    ? []
    : (field.choices ?? []).map(({ text, value, isSelected }) => ({
        text: plainText(text),
        value: value || plainText(text),
        isSelected,
      }));

function fieldOf(field: WireField, rewriter: Rewriter, warn: Warn): FormField {
  return {
    id: field.id,
    type: field.visibility === 'hidden' ? 'hidden' : field.type,
    label: plainText(field.label),
    description: plainText(field.description),
    isRequired: field.isRequired,
    errorMessage: plainText(field.errorMessage),
    placeholder: plainText(field.placeholder),
    defaultValue: field.defaultValue,
    inputs: inputsOf(field),
    choices: choicesOf(field),
    consentHtml: field.type === 'consent' ? inlineRichText(field.checkboxLabel || field.label, rewriter, warn) : null,
  };
}

/** What a visitor is told or where she is taken; a page confirmation has its address in `url` too. */
function confirmationOf(form: WireForm, rewriter: Rewriter, warn: Warn): Form['confirmation'] {
  const all = Object.values(form.confirmations ?? {});
  const chosen = all.find((confirmation) => confirmation.isDefault) ?? all[0];
  const url = chosen && chosen.type !== 'message' ? rewriter.link(chosen.url) : null;
  if (url !== null) return { type: 'redirect', url };
  return { type: 'message', html: richText(chosen?.message ?? '', rewriter, warn) };
}

/** Turns Gravity Forms' definition into what the page renders (R30). Fields that cannot be read or shown are dropped. */
export function formOf(wire: WireForm, rewriter: Rewriter, warn: Warn): Form {
  const fields: FormField[] = [];
  let highestId = 0;
  for (const [index, item] of wire.fields.entries()) {
    const read = fieldSchema.safeParse(item);
    if (!read.success) {
      const [issue] = read.error.issues;
      warn('content.field-dropped', { form: wire.id, field: `fields.${index}.${issue?.path.join('.')}` });
      continue;
    }
    highestId = Math.max(highestId, read.data.id);
    if (HANDLED.has(read.data.type)) fields.push(fieldOf(read.data, rewriter, warn));
    else warn('content.field-unknown', { form: wire.id, field: read.data.id, type: read.data.type });
  }
  return {
    id: wire.id,
    title: plainText(wire.title),
    description: plainText(wire.description),
    submit: plainText(wire.button?.text ?? ''),
    fields,
    // Gravity Forms numbers its trap after the last field.
    honeypot: wire.enableHoneypot ? inputName(highestId + 1) : null,
    confirmation: confirmationOf(wire, rewriter, warn),
  };
}
