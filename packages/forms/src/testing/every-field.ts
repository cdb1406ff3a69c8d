import { choice, field, show } from './gravity-forms.ts';

const choices = (...values: string[]) => values.map((value) => choice(value.toUpperCase(), value));

/** A form in the format of Gravity Forms, with all field types that the site supports and some others. */
export const EVERY_FIELD = [
  field(1, 'name', 'Name', {
    isRequired: true,
    inputs: [
      { id: '1.2', label: 'Prefix', choices: choices('Dr.', 'Ms.') },
      { id: '1.3', label: 'First' },
      { id: '1.4', label: 'Middle', isHidden: true },
      { id: '1.6', label: 'Last' },
    ],
  }),
  field(2, 'email', 'Email', { isRequired: true, description: 'We write once.' }),
  field(3, 'phone', 'Phone', { phoneFormat: 'international' }),
  field(4, 'address', 'Address', {
    addressType: 'us',
    inputs: ['Street', 'Line 2', 'City', 'State', 'ZIP', 'Country'].map((label, at) => ({ id: `4.${at + 1}`, label })),
  }),
  field(5, 'select', 'Topic', { isRequired: true, placeholder: 'Choose', choices: choices('read', 'press', 'other') }),
  field(6, 'text', 'Which topic?', {
    isRequired: true,
    errorMessage: 'Say which.',
    conditionalLogic: show('all', ['5', 'is', 'other']),
  }),
  field(7, 'radio', 'Size', { choices: choices('s', 'm') }),
  field(8, 'checkbox', 'Days', {
    choices: choices('fri', 'sat'),
    inputs: [
      { id: '8.1', label: 'FRI', name: '' },
      { id: '8.2', label: 'SAT', name: '' },
    ],
  }),
  field(9, 'multiselect', 'Places', { choices: choices('coast', 'forest', 'moor') }),
  field(10, 'date', 'Arrival', { dateFormat: 'dmy' }),
  field(11, 'number', 'Readers', { numberFormat: 'decimal_dot', rangeMin: '1', rangeMax: '4' }),
  field(12, 'website', 'Website', { conditionalLogic: show('any', ['5', 'is', 'press'], ['11', '>', '3']) }),
  field(13, 'textarea', 'Message', { maxLength: '20', size: 'small' }),
  field(14, 'hidden', 'Source', { allowsPrepopulate: true, inputName: 'utm_source', defaultValue: 'site {embed_url}' }),
  field(15, 'html', 'Note', { content: '<p>Bring <em>water</em>.</p><script>alert(1)</script>' }),
  field(16, 'section', 'More', { description: 'For the press.', conditionalLogic: show('all', ['5', 'is', 'press']) }),
  field(17, 'text', 'Outlet', { isRequired: true, allowsPrepopulate: true, inputName: 'outlet' }),
  field(18, 'section', 'At last'),
  field(19, 'consent', 'Consent', { isRequired: true, checkboxLabel: 'Send me the letter.' }),
  field(20, 'text', 'Only for us', { visibility: 'administrative', isRequired: true }),
  field(21, 'signature', 'Signature'),
  field(22, 'time', 'At', { timeFormat: '12' }),
];

/** Valid answers to all required fields. */
export const EVERY_ANSWER: Record<string, string> = {
  input_1_3: 'Ada',
  input_1_6: 'Quist',
  input_2: 'ada@example.org',
  input_5: 'read',
  input_19_1: '1',
};

/** A form with three pages. The second page is only for the press. */
export const PAGED_FORM = {
  pagination: { type: 'steps', pages: ['You', 'The press', 'Consent'] },
  lastPageButton: { type: 'text', text: 'Back' },
  fields: [
    field(1, 'email', 'Email', { isRequired: true }),
    field(2, 'select', 'Topic', { choices: choices('read', 'press') }),
    field(3, 'page', '', { nextButton: { text: 'Go on' }, conditionalLogic: show('all', ['2', 'is', 'press']) }),
    field(4, 'text', 'Outlet', { isRequired: true }),
    field(5, 'page', '', { nextButton: { text: 'Almost there' }, previousButton: { text: 'Back' } }),
    field(6, 'consent', 'Consent', { isRequired: true, checkboxLabel: 'Send me the letter.' }),
  ],
};
