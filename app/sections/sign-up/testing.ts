import type { Choice, FormField, FormInput, Logic, LogicOperator } from '../../content/types.ts';

/** Fields for tests, as the server makes them of a definition. */

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

export const field = (id: number, type: string, more: Partial<FormField> = {}): FormField => ({
  id,
  type,
  label: `Field ${id}`,
  description: '',
  isRequired: false,
  errorMessage: '',
  placeholder: '',
  inputs: ['html', 'section', 'page'].includes(type) ? [] : [input(`input_${id}`)],
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
});

/** Shown where the one field's answer is so. */
export const shownIf = (id: number, operator: LogicOperator, value: string): Logic => ({
  shows: true,
  needsAll: true,
  rules: [{ field: id, input: null, operator, value }],
});
