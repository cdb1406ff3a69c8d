import type { Choice, FieldKind, FormField, FormInput, Logic, LogicOperator } from './form.ts';
import { KINDS } from './kinds.ts';

/** Fields for tests, as the server reads them from a definition. */

export const choice = (value: string): Choice => ({ text: value, value, isSelected: false });

export const input = (name: string, more: Partial<FormInput> = {}): FormInput => ({
  name,
  label: '',
  isRequired: false,
  autocomplete: null,
  placeholder: '',
  defaultValue: '',
  prefill: null,
  choices: [],
  ...more,
});

export const field = (id: number, type: FieldKind, more: Partial<FormField> = {}): FormField =>
  ({
    id,
    type,
    label: `Field ${id}`,
    description: '',
    isRequired: false,
    errorMessage: '',
    placeholder: '',
    inputs: KINDS[type].isSilent ? [] : [input(`input_${id}`)],
    choices: [],
    consentHtml: null,
    html: null,
    format: '',
    maxLength: null,
    min: null,
    max: null,
    rows: 4,
    upload: null,
    logic: null,
    ...more,
  }) as FormField;

/** Conditional logic with one rule that shows its field. */
export const shownIf = (id: number, operator: LogicOperator, value: string): Logic => ({
  shows: true,
  needsAll: true,
  rules: [{ field: id, input: null, operator, value }],
});
