import { field as anyField, choice, show } from '@pillion/forms/testing/gravity-forms.ts';

/**
 * Forms with every kind of field and every setting of Gravity Forms, each with valid and invalid answers. They use the
 * names of Gravity Forms' form object and controls.
 */

/** A date or time, independent of the control for it. */
export type Meant = { date: [year: number, month: number, day: number] } | { time: [hours: number, minutes: number] };

/** Typed text, several choices, files, or a date or time, by name of the control. */
export type TrialAnswer = string | string[] | File[] | Meant;

/** The result of a row. */
export type Finding =
  | 'same'
  | 'differs'
  | 'refused by both'
  /** Gravity Forms accepts it, and Pillion rejects it before storage. */
  | 'refused by Pillion alone'
  | 'taken by Pillion alone'
  /** A part of the form that Gravity Forms shows and Pillion does not. */
  | 'not drawn'
  | 'set aside'
  /** Always a failure. */
  | 'thanked, then dead'
  | 'thanked, then tried for ever';

/** An intended difference that a run must find. */
export interface Expected {
  finding: Finding;
  /** Names of the parts of the entry that differ. */
  parts?: string[];
}

export interface TrialRow {
  /** Without it both ways must have the same result or both reject. */
  expected?: Expected;
  /** What the row tests, in the words for a table in the docs. */
  what: string;
  answers: Record<string, TrialAnswer>;
  /** Query of the page's address. */
  query?: string;
}

export interface TrialForm {
  /** Unique, and part of an address. */
  name: string;
  /** Fields and settings of the form object. */
  fields: Record<string, unknown>[];
  settings?: Record<string, unknown>;
  /** What the plugin lists as different or omitted before publishing. Without it the list must be empty. */
  named?: string[];
  /** PHP that runs after the form is created. `$id` is its id. */
  afterwards?: string;
  rows: TrialRow[];
}

/** A row: what it tests, the answers, and the rest of it. */
type Row = [what: string, answers: TrialRow['answers'], more?: Omit<TrialRow, 'what' | 'answers'>];

/** @returns A function that takes the rows. */
const form =
  (name: string, fields: TrialForm['fields'], more: Omit<TrialForm, 'name' | 'fields' | 'rows'> = {}) =>
  (...rows: Row[]): TrialForm => ({
    ...{ name, fields, ...more },
    rows: rows.map(([what, answers, rest]) => ({ what, answers, ...rest })),
  });

const field = (id: number, type: string, more: Record<string, unknown> = {}) =>
  anyField(id, type, `The ${type} ${id}`, { pageNumber: 1, ...more });

const choices = (...texts: string[]) => texts.map((text) => choice(text));
const boxes = (id: number, ...texts: string[]) => ({
  choices: choices(...texts),
  // Gravity Forms skips numbers that end in zero.
  inputs: texts.map((label, at) => ({ id: `${id}.${at + 1 + Math.floor(at / 9)}`, label, name: '' })),
});
const parts = (id: number, names: Record<string, string>, more: Record<string, object> = {}) => ({
  inputs: Object.entries(names).map(([part, label]) => ({
    id: `${id}.${part}`,
    label,
    name: '',
    ...more[part],
  })),
});
const rule = (fieldId: string, operator: string, value: string, actionType = 'show') => ({
  enabled: true,
  ...show('all', [fieldId, operator, value]),
  actionType,
});

const differs = (...parts: string[]): { expected: Expected } => ({ expected: { finding: 'differs', parts } });
const undrawn = (...parts: string[]): { expected: Expected } => ({ expected: { finding: 'not drawn', parts } });
const REFUSED: { expected: Expected } = { expected: { finding: 'refused by Pillion alone' } };
const TAKEN: { expected: Expected } = { expected: { finding: 'taken by Pillion alone' } };

const NASTY = `C:\\new\\dir "q" 'a' \\\\server 100% &amp; <b>bold</b> ünï 東京 🏍️`;
const LINES = 'One\r\n\r\n  Two\twith a tab \\n\r\nThree';
const LONG = `${'0123456789 '.repeat(900)}end`;

/** Fields and row of forms that test settings of the form. */
const NOTE = [field(1, 'text', { label: 'Note' })];
const SENT: Row = ['sent', { input_1: 'Ada' }];

const file = (name: string, text: string, type = 'text/plain') => new File([text], name, { type });
const GIF =
  'GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;';

const NAME_PARTS = { 2: 'Prefix', 3: 'First', 4: 'Middle', 6: 'Last', 8: 'Suffix' };
const ADDRESS_PARTS = { 1: 'Street', 2: 'Line 2', 3: 'City', 4: 'State', 5: 'ZIP', 6: 'Country' };
const DATE_PARTS = { 1: 'Month', 2: 'Day', 3: 'Year' };
const date = (name: string, dateFormat: string, dateType: string, ...rows: Row[]) =>
  form(name, [field(1, 'date', { dateType, dateFormat, ...(dateType !== 'datepicker' && parts(1, DATE_PARTS)) })], {
    named: ['date'],
  })(['a day', { input_1: { date: [2027, 3, 9] } }], ...rows);
const picked = (name: string, dateFormat: string) =>
  date(
    ...([name, dateFormat, 'datepicker'] as const),
    ['no day: 31 February', { input_1: { date: [2027, 2, 31] } }],
    ['words', { input_1: 'tomorrow' }],
  );
const time = (name: string, timeFormat: string): TrialForm =>
  form(name, [field(1, 'time', { timeFormat, ...parts(1, { 1: 'HH', 2: 'MM', 3: 'AM/PM' }) })])(
    ['in the evening', { input_1: { time: [21, 5] } }],
    ['midnight', { input_1: { time: [0, 0] } }],
    ['noon', { input_1: { time: [12, 30] } }],
    ['25:00', { input_1: { time: [25, 0] } }],
  );

const HIDDEN = { isHidden: true };
const nameField = (more: object, inputs: Record<string, object>) =>
  field(1, 'name', { nameFormat: 'advanced', ...parts(1, NAME_PARTS, inputs), ...more });
const address = (addressType: string, more: object = {}) =>
  field(1, 'address', { addressType, ...parts(1, ADDRESS_PARTS), ...more });
const consent = (more: object) =>
  field(1, 'consent', {
    choices: [choice('Checked', '1')],
    ...parts(1, { 1: 'Consent', 2: 'Text', 3: 'Description' }, { 2: HIDDEN, 3: HIDDEN }),
    ...more,
  });

const PRODUCT_PARTS = parts(1, { 1: 'Name', 2: 'Price', 3: 'Quantity' });

const READ_OR_PRESS = field(1, 'select', { choices: choices('read', 'press') });
const IF_PRESS = { conditionalLogic: rule('1', 'is', 'press') };
const NEXT = { type: 'text', text: 'Next' };
const PREVIOUS = { previousButton: { type: 'text', text: 'Previous' } };
const page = (id: number, pageNumber: number, more: object) =>
  field(id, 'page', { pageNumber, nextButton: NEXT, ...more });
const lastPageButton = { type: 'text', text: 'Back' };

const scheduled = (end: 'Start' | 'End', date: string, half: 'am' | 'pm' = 'am') => ({
  ...{ [`schedule${end}`]: date, [`schedule${end}Hour`]: '10', [`schedule${end}Minute`]: '00' },
  [`schedule${end}Ampm`]: half,
});

const confirmation = (id: string, more: Record<string, unknown>) => ({
  [id]: {
    ...{ id, name: id, isDefault: false, type: 'message', message: '' },
    ...{ url: '', pageId: '', queryString: '', disableAutoformat: false },
    ...more,
  },
});
const notification = (id: string, more: Record<string, unknown>) => ({
  [id]: {
    ...{ id, name: id, isActive: true, service: 'wordpress', event: 'form_submission' },
    ...{ toType: 'email', to: 'desk@example.org', from: 'site@example.org' },
    ...{ subject: '{form_title} {entry_id}', message: '{all_fields}' },
    ...more,
  },
});

/** The form's only confirmation. */
const confirms = (more: object) => ({
  settings: { confirmations: confirmation('c1', { isDefault: true, ...more }) },
});

export const TRIAL_FORMS: TrialForm[] = [
  // Texts.
  form('text', [field(1, 'text')])(
    ['backslashes, quotes, markup, emoji', { input_1: NASTY }],
    ['leading and trailing space and noughts', { input_1: '  007 ' }],
    ['“0” alone', { input_1: '0' }],
    ['only backslashes', { input_1: '\\\\\\' }],
  ),
  form('text-required', [field(1, 'text', { isRequired: true }), field(2, 'text')])(
    ['left empty', { input_2: 'x' }],
    ['only spaces', { input_1: '   ', input_2: 'x' }],
    ['filled in', { input_1: 'x' }],
  ),
  form('text-message', [field(1, 'text', { isRequired: true, errorMessage: 'Do say who.' }), field(2, 'text')])([
    'own message, left empty',
    { input_2: 'x' },
  ]),
  form('text-max', [field(1, 'text', { maxLength: '5' })])(
    ['as long as allowed', { input_1: '東京🏍️' }],
    ['too long', { input_1: 'abcdef' }],
  ),
  form('text-mask', [field(1, 'text', { inputMask: true, inputMaskValue: '99-aa', inputMaskIsCustom: true })], {
    named: ['inputMask'],
  })(['as the mask says', { input_1: '12-ab' }], ['against the mask', { input_1: 'whatever' }]),
  form('text-unique', [field(1, 'text', { noDuplicates: true })], { named: ['noDuplicates'] })(
    ['first', { input_1: 'one' }],
    ['the same again', { input_1: 'one' }],
    ['another', { input_1: 'two' }],
  ),
  form('text-default', [
    field(1, 'text', { defaultValue: 'as it was' }),
    field(2, 'text', { defaultValue: '{embed_url}' }),
  ])(['left as it is', {}, differs('2', 'mails')]),
  form('text-dynamic', [
    field(1, 'text', { allowsPrepopulate: true, inputName: 'who' }),
    field(2, 'hidden', { allowsPrepopulate: true, inputName: 'utm_source' }),
  ])(['filled in by the address', {}, { query: '?who=Zo%C3%AB%20%5C%22&utm_source=mail' }]),
  form('text-hidden', [
    field(1, 'text'),
    field(2, 'text', { visibility: 'hidden', defaultValue: 'kept' }),
    field(3, 'text', { visibility: 'administrative', defaultValue: 'office' }),
  ])(['next to a hidden and an administrative field', { input_1: 'x' }]),
  form('text-password', [field(1, 'text', { enablePasswordInput: true })])([
    'shown as a password',
    { input_1: 'se\\cret' },
  ]),
  form('textarea', [field(1, 'textarea')])(
    ['several lines', { input_1: LINES }],
    ['backslashes, quotes, markup, emoji', { input_1: NASTY }],
    ['nearly ten thousand characters', { input_1: LONG }],
    ['twenty thousand characters', { input_1: LONG + LONG }, REFUSED],
  ),
  form('textarea-max', [field(1, 'textarea', { maxLength: '10' })])(
    ['as long as allowed, over two lines', { input_1: 'abcd\r\nefgh' }],
    ['too long', { input_1: 'abcdefghijk' }],
  ),
  form('textarea-rich', [field(1, 'textarea', { useRichTextEditor: true })], { named: ['richText'] })([
    'with markup',
    { input_1: '<p>One <strong>two</strong></p>' },
  ]),
  form('hidden', [field(1, 'hidden', { defaultValue: 'a "b" \\ c' }), field(2, 'text')])([
    'with a default',
    { input_2: 'x' },
  ]),
  form('hidden-merge', [
    field(1, 'hidden', { defaultValue: '{embed_post:post_title}|{date_mdy}|{user:user_login}' }),
    field(2, 'text'),
  ])(['with merge tags', { input_2: 'x' }, differs('1', 'mails')]),
  form('html-section', [
    field(1, 'html', { content: '<p>About {form_title} on {date_mdy}</p>' }),
    field(2, 'section'),
    field(3, 'text'),
  ])(['text and section between fields', { input_3: 'x' }]),
  // Choices.
  form('select', [
    field(1, 'select', { choices: [choice('One', '1'), choice('Two & "2"', 'two\\"'), choice('Three', '')] }),
  ])(
    ['first by itself', {}],
    ['value with a backslash and a quote', { input_1: 'two\\"' }],
    ['a value that is not offered', { input_1: 'nine' }, REFUSED],
  ),
  form('select-required', [
    field(1, 'select', { isRequired: true, placeholder: 'Choose', choices: choices('a', 'b') }),
    field(2, 'text'),
  ])(['left open', { input_2: 'x' }], ['chosen', { input_1: 'b' }]),
  form('multiselect', [field(1, 'multiselect', { storageType: 'json', choices: choices('a', 'b,c', 'd "e"') })])(
    ['two, with a comma and quotes', { input_1: ['b,c', 'd "e"'] }],
    ['one', { input_1: ['a'] }],
    ['not offered', { input_1: ['zz'] }, REFUSED],
  ),
  form('radio', [field(1, 'radio', { choices: [choice('Small', 's'), choice('Medium', 'm\\')] })])(
    ['chosen, value with a backslash', { input_1: 'm\\' }],
    ['not offered', { input_1: 'xl' }, REFUSED],
  ),
  form('radio-other', [field(1, 'radio', { enableOtherChoice: true, choices: choices('a', 'b') })])(
    ['a choice', { input_1: 'a' }],
    ['Other, written in', { input_1: 'gf_other_choice', input_1_other: 'My \\own "one"' }],
  ),
  form('checkbox', [field(1, 'checkbox', boxes(1, 'a', 'b "c"', 'd\\e'))])(
    ['two', { input_1_2: 'b "c"', input_1_3: 'd\\e' }],
    ['not offered', { input_1_1: 'zz' }, REFUSED],
  ),
  form('checkbox-many', [field(1, 'checkbox', boxes(1, ...'abcdefghijkl'))])([
    'past the tenth',
    { input_1_11: 'j', input_1_13: 'l' },
  ]),
  form('checkbox-required', [field(1, 'checkbox', { ...boxes(1, 'a', 'b'), isRequired: true }), field(2, 'text')])([
    'none',
    { input_2: 'x' },
  ]),
  form('checkbox-all', [field(1, 'checkbox', { ...boxes(1, 'a', 'b'), enableSelectAll: true })], {
    named: ['selectAll'],
  })(['all', { input_1_1: 'a', input_1_2: 'b' }]),
  form('checkbox-exactly', [
    field(1, 'checkbox', { ...boxes(1, 'a', 'b', 'c'), choiceLimit: 'exactly', choiceLimitNumber: 2 }),
  ])(
    ['exactly two asked, two given', { input_1_1: 'a', input_1_2: 'b' }],
    ['exactly two asked, one given', { input_1_1: 'a' }],
  ),
  form('checkbox-range', [
    field(1, 'checkbox', { ...boxes(1, 'a', 'b', 'c'), choiceLimit: 'range', choiceLimitMin: 1, choiceLimitMax: 2 }),
  ])(
    ['one to two asked, two given', { input_1_1: 'a', input_1_2: 'b' }],
    ['one to two asked, three given', { input_1_1: 'a', input_1_2: 'b', input_1_3: 'c' }],
  ),
  form('multi-choice-one', [
    field(1, 'multi_choice', { inputType: 'radio', choiceLimit: 'single', choices: choices('a', 'b') }),
  ])(['one of several', { input_1: 'b' }]),
  form('multi-choice-many', [
    field(1, 'multi_choice', {
      inputType: 'checkbox',
      choiceLimit: 'unlimited',
      choices: [choice('a', 'a', { key: 'k1' }), choice('b', 'b', { key: 'k2' })],
      inputs: [
        { id: '1.1', label: 'a', key: 'k1' },
        { id: '1.2', label: 'b', key: 'k2' },
      ],
    }),
  ])(['both', { input_1_1: 'a', input_1_2: 'b' }]),
  form('image-choice', [
    field(1, 'image_choice', {
      inputType: 'radio',
      choiceLimit: 'single',
      choices: [choice('Coast', 'coast', { attachment_id: 0 }), choice('Pass', 'pass', { attachment_id: 0 })],
    }),
  ])(['one', { input_1: 'pass' }]),
  // Numbers.
  form('number-dot', [field(1, 'number', { numberFormat: 'decimal_dot' })])(
    ['12.50', { input_1: '12.50' }],
    ['007', { input_1: '007' }],
    ['-0.5', { input_1: '-0.5' }],
    ['twelve', { input_1: 'twelve' }],
    ['1,234.5', { input_1: '1,234.5' }],
    ['0', { input_1: '0' }],
    ['1e3', { input_1: '1e3' }],
  ),
  form('number-comma', [field(1, 'number', { numberFormat: 'decimal_comma' })])(
    ['12,50', { input_1: '12,50' }],
    ['1.234,5', { input_1: '1.234,5' }],
    ['12.5', { input_1: '12.5' }],
  ),
  form('number-currency', [field(1, 'number', { numberFormat: 'currency' })])(
    ['$1,234.50', { input_1: '$1,234.50' }],
    ['12.5', { input_1: '12.5' }],
    ['12,5', { input_1: '12,5' }],
    ['€ 5', { input_1: '€ 5' }, REFUSED],
  ),
  form('number-range', [field(1, 'number', { numberFormat: 'decimal_dot', rangeMin: '1.5', rangeMax: '10' })])(
    ['within', { input_1: '1.5' }],
    ['below', { input_1: '1.4' }],
    ['above', { input_1: '11' }],
  ),
  form(
    'number-calculated',
    [
      field(1, 'number', { numberFormat: 'decimal_dot' }),
      field(2, 'number', {
        numberFormat: 'decimal_dot',
        enableCalculation: true,
        calculationFormula: '{The number 1:1} * 2',
        calculationRounding: '',
      }),
    ],
    { named: ['calculation'] },
  )(['twice another', { input_1: '21' }]),
  // Fields with parts, and fields with separate rules.
  form('name', [nameField({}, { 2: { choices: choices('Dr.', 'Ms.'), inputType: 'radio' }, 4: HIDDEN, 8: HIDDEN })])(
    ['prefix, first, last', { input_1_2: 'Dr.', input_1_3: 'Zoë "Z" \\', input_1_6: 'O’Neil-Ōta' }],
    ['first only', { input_1_3: 'Zoë' }],
  ),
  form('name-all', [nameField({}, { 2: { choices: choices('Dr.', 'Ms.') }, 4: { isHidden: false } })])([
    'all five parts',
    { input_1_2: 'Ms.', input_1_3: 'A', input_1_4: 'B', input_1_6: 'C', input_1_8: 'Jr.' },
  ]),
  form('name-required', [nameField({ isRequired: true }, { 2: HIDDEN, 4: HIDDEN, 8: HIDDEN })])(
    ['without the last', { input_1_3: 'Ada' }],
    ['both', { input_1_3: 'Ada', input_1_6: 'Q' }],
  ),
  form('name-simple', [field(1, 'name', { nameFormat: 'simple' })])([
    'in one line (an old format)',
    { input_1: 'Ada Q' },
  ]),
  picked('date-mdy', 'mdy'),
  picked('date-dmy', 'dmy'),
  picked('date-dmy-dash', 'dmy_dash'),
  picked('date-dmy-dot', 'dmy_dot'),
  picked('date-ymd-slash', 'ymd_slash'),
  picked('date-ymd-dash', 'ymd_dash'),
  picked('date-ymd-dot', 'ymd_dot'),
  date('date-fields', 'dmy', 'datefield'),
  date('date-dropdown', 'mdy', 'datedropdown'),
  time('time-12', '12'),
  time('time-24', '24'),
  form('phone-standard', [field(1, 'phone', { phoneFormat: 'standard' })])(
    ['(555) 123-4567', { input_1: '(555) 123-4567' }],
    ['5551234567', { input_1: '5551234567' }],
    ['too short', { input_1: '123' }],
  ),
  form('phone-international', [field(1, 'phone', { phoneFormat: 'international' })])(
    ['+44 20 7946 0018', { input_1: '+44 20 7946 0018' }],
    ['letters', { input_1: 'call me' }, REFUSED],
  ),
  form('address', [address('international')])([
    'all parts',
    {
      input_1_1: 'Str. 1\\a',
      input_1_2: 'c/o "B"',
      input_1_3: 'Wien',
      input_1_4: 'Wien',
      input_1_5: '01010',
      input_1_6: 'Austria',
    },
  ]),
  form('address-us', [address('us', { defaultCountry: 'United States' })])([
    'of the United States',
    { input_1_1: '1 Main', input_1_3: 'Reno', input_1_4: 'Nevada', input_1_5: '89501' },
  ]),
  form('address-canada', [address('canadian', { defaultCountry: 'Canada' })])([
    'of Canada',
    { input_1_1: '1 Main', input_1_3: 'Regina', input_1_4: 'Saskatchewan', input_1_5: 'S4N 0A1' },
  ]),
  form('address-required', [address('us', { isRequired: true, defaultCountry: 'United States' })])([
    'without the city',
    { input_1_1: '1 Main', input_1_4: 'Nevada', input_1_5: '89501' },
  ]),
  form('address-default', [
    address('international', { defaultCountry: 'Austria', hideState: true, hideAddress2: true }),
  ])(['with a chosen country and hidden parts', { input_1_1: 'S', input_1_3: 'Wien', input_1_5: '1010' }]),
  form('website', [field(1, 'website')])(
    ['https address', { input_1: 'https://example.org/a?b=c&d=%20e#f' }],
    ['without https', { input_1: 'example.org' }],
    ['words', { input_1: 'not one' }],
  ),
  form('email', [field(1, 'email')])(
    ['an address', { input_1: "o'neil+x@example.org" }],
    ['none', { input_1: 'nobody' }],
  ),
  form('email-confirm', [
    field(1, 'email', {
      emailConfirmEnabled: true,
      inputs: [
        { id: '1', label: 'Email', name: '' },
        { id: '1.2', label: 'Again', name: '' },
      ],
    }),
  ])(
    ['twice the same', { input_1: 'a@example.org', input_1_2: 'a@example.org' }],
    ['twice, different', { input_1: 'a@example.org', input_1_2: 'b@example.org' }],
  ),
  form('email-unique', [field(1, 'email', { noDuplicates: true })], { named: ['noDuplicates'] })(
    ['first', { input_1: 'a@example.org' }],
    ['the same again', { input_1: 'a@example.org' }],
    ['in capitals', { input_1: 'A@EXAMPLE.ORG' }],
  ),
  form('consent', [
    consent({
      checkboxLabel: 'I agree to the <a href="/privacy-policy/">privacy policy</a>.',
      description: 'We write <em>seldom</em>.',
      descriptionPlaceholder: '',
    }),
    field(2, 'text'),
  ])(['given', { input_1_1: '1', input_2: 'x' }], ['not given', { input_2: 'x' }]),
  form('consent-required', [consent({ isRequired: true, checkboxLabel: 'I agree.' }), field(2, 'text')])([
    'not given',
    { input_2: 'x' },
  ]),
  // Files.
  form('file', [field(1, 'fileupload', { allowedExtensions: 'txt, gif', maxFileSize: 1 }), field(2, 'text')])(
    ['a text', { input_1: [file('my "notes" ü.txt', 'Several words\nof text.')], input_2: 'x' }, differs('1', 'mails')],
    ['one byte', { input_1: [file('tiny.txt', 'x')] }],
    ['a picture by another name', { input_1: [file('fake.txt', GIF, 'text/plain')], input_2: 'x' }],
    ['a kind that is not allowed', { input_1: [file('a.pdf', '%PDF-1.4')], input_2: 'x' }],
    ['too large', { input_1: [file('big.txt', 'word '.repeat(230_000))], input_2: 'x' }],
    ['none', { input_2: 'with \\ no file' }],
  ),
  form('file-required', [field(1, 'fileupload', { isRequired: true }), field(2, 'text')])([
    'required, none',
    { input_2: 'x' },
  ]),
  form('files', [
    field(1, 'fileupload', { multipleFiles: true, allowedExtensions: 'txt', maxFiles: 2 }),
    field(2, 'text'),
  ])([
    'two (its own page sends them by script)',
    { input_1: [file('a.txt', 'First of two.'), file('b.txt', 'Second of two.')], input_2: 'x' },
    differs('1', 'mails'),
  ]),
  // Fields that the site draws differently or not at all.
  form('list', [field(1, 'list'), field(2, 'text')], { named: ['list'] })([
    'one column, two rows',
    { input_1: ['Ada', 'Bo \\ "x"'], input_2: 'x' },
  ]),
  form(
    'list-columns',
    [field(1, 'list', { enableColumns: true, choices: choices('Reader', 'Bike') }), field(2, 'text')],
    { named: ['list'] },
  )(['two columns, two rows', { input_1: ['Ada', 'Dusk', 'Bo', 'Dawn'], input_2: 'x' }]),
  form('list-required', [field(1, 'list', { isRequired: true }), field(2, 'text')], { named: ['list'] })(
    ['required, left empty', { input_2: 'x' }],
    ['required, filled in', { input_1: ['Ada'], input_2: 'x' }],
  ),
  form(
    'password',
    [
      field(1, 'password', {
        inputs: [
          { id: '1', label: 'Password' },
          { id: '1.2', label: 'Again' },
        ],
      }),
      field(2, 'text'),
    ],
    { named: ['password'] },
  )(['typed twice', { input_1: 'correct horse', input_1_2: 'correct horse', input_2: 'x' }, undrawn('1')]),
  form('username', [field(1, 'username'), field(2, 'text')], { named: ['username'] })([
    'of the User Registration add-on',
    { input_1: 'ada', input_2: 'x' },
  ]),
  form(
    'post',
    [
      field(1, 'post_title'),
      field(2, 'post_content'),
      field(3, 'post_excerpt'),
      field(4, 'post_tags'),
      field(5, 'post_category', {
        inputType: 'select',
        displayAllCategories: true,
        choices: [choice('Uncategorized', 'Uncategorized:1')],
      }),
      field(6, 'post_custom_field', { inputType: 'text', postCustomFieldName: 'trial' }),
      field(7, 'post_image'),
      field(8, 'text'),
    ],
    {
      named: ['title', 'content', 'excerpt', 'tags', 'category', 'custom_field', 'image'].map((part) => `post_${part}`),
    },
  )([
    'all its fields',
    { input_1: 'T', input_2: 'C', input_3: 'E', input_4: 'a, b', input_6: 'm', input_8: 'x' },
    undrawn('1', '2', '3', '4', '5', '6', 'mails', 'post'),
  ]),
  form(
    'product',
    [
      field(1, 'product', { inputType: 'singleproduct', basePrice: '$10.00', ...PRODUCT_PARTS }),
      field(2, 'option', { inputType: 'select', productField: 1, choices: [choice('Red', 'Red', { price: '$1.00' })] }),
      field(3, 'quantity', { inputType: 'number', productField: 1 }),
      field(4, 'shipping', { inputType: 'singleshipping', basePrice: '$5.00' }),
      field(5, 'total'),
      field(6, 'text'),
    ],
    { named: ['product', 'option', 'quantity', 'shipping', 'total'] },
  )([
    'product, option, quantity, shipping, total',
    { input_3: '2', input_6: 'x' },
    undrawn('1.1', '1.2', '2', '3', '4', '5', 'mails'),
  ]),
  form(
    'product-select',
    [
      field(1, 'product', { inputType: 'select', choices: [choice('Helmet', 'Helmet', { price: '$200.00' })] }),
      field(2, 'text'),
    ],
    { named: ['product'] },
  )(['chosen from a list', { input_2: 'x' }, differs('1', 'mails')]),
  form(
    'product-hidden',
    [field(1, 'product', { inputType: 'hiddenproduct', basePrice: '$10.00', ...PRODUCT_PARTS }), field(2, 'text')],
    { named: ['product'] },
  )(['hidden', { input_2: 'x' }, differs('1.1', '1.2', '1.3', 'mails')]),
  form('product-price', [field(1, 'product', { inputType: 'price' }), field(2, 'text')], { named: ['product'] })([
    'price that the visitor sets',
    { input_1: '$7.50', input_2: 'x' },
    undrawn('1', 'mails'),
  ]),
  form(
    'creditcard',
    [
      field(1, 'creditcard', {
        creditCards: ['visa'],
        ...parts(1, { 1: 'Number', '2_month': 'Month', '2_year': 'Year', 3: 'Code', 4: 'Type', 5: 'Name' }),
      }),
      field(2, 'text'),
    ],
    { named: ['creditcard'] },
  )(['left empty', { input_2: 'x' }]),
  form('captcha', [field(1, 'captcha', { captchaType: 'recaptcha' }), field(2, 'text')], { named: ['captcha'] })([
    'reCAPTCHA that no key is set for',
    { input_2: 'x' },
    TAKEN,
  ]),
  form('repeater', [field(1, 'repeater', { fields: [field(3, 'text', { formId: 0 })] }), field(2, 'text')], {
    named: ['repeater'],
  })(['left empty', { input_2: 'x' }]),
  form('signature', [field(1, 'signature'), field(2, 'text')], { named: ['signature'] })([
    'of an add-on that is not there',
    { input_2: 'x' },
  ]),
  // Conditional logic.
  form('logic-field', [
    READ_OR_PRESS,
    field(2, 'text', { isRequired: true, ...IF_PRESS }),
    field(3, 'text', { defaultValue: 'left', ...IF_PRESS }),
  ])(
    ['hidden by an answer', { input_1: 'read' }],
    ['shown by an answer, filled in', { input_1: 'press', input_2: 'paper' }],
    ['shown by an answer, required, empty', { input_1: 'press' }],
  ),
  form(
    'logic-page',
    [
      READ_OR_PRESS,
      page(2, 2, { ...PREVIOUS, ...IF_PRESS }),
      field(3, 'text', { pageNumber: 2, isRequired: true }),
      page(4, 3, PREVIOUS),
      field(5, 'text', { pageNumber: 3 }),
    ],
    {
      settings: {
        pagination: { type: 'steps', pages: ['A', 'B', 'C'], style: 'blue' },
        firstPageCssClass: '',
        lastPageButton,
      },
    },
  )(
    ['a page left out', { input_1: 'read', input_5: 'x' }],
    ['all pages', { input_1: 'press', input_3: 'paper', input_5: 'x' }],
  ),
  form('logic-button', [READ_OR_PRESS], {
    settings: { button: { type: 'text', text: 'Send', imageUrl: '', ...IF_PRESS } },
  })(['its condition met', { input_1: 'press' }], ['its condition not met', { input_1: 'read' }]),
  form(
    'logic-next',
    [READ_OR_PRESS, page(2, 2, { nextButton: { ...NEXT, ...IF_PRESS } }), field(3, 'text', { pageNumber: 2 })],
    { settings: { pagination: { type: 'steps', pages: ['A', 'B'] }, lastPageButton } },
  )(['the next button’s condition not met', { input_1: 'read', input_3: 'x' }]),
  // Settings of the form.
  form('empty', NOTE)(['nothing filled in', {}]),
  form('limit', NOTE, {
    named: ['limitEntries'],
    settings: {
      limitEntries: true,
      limitEntriesCount: '1',
      limitEntriesPeriod: '',
      limitEntriesMessage: 'Sold <em>out</em>, sorry.',
    },
  })(['the last place', { input_1: 'a' }], ['full', { input_1: 'b' }]),
  form('schedule-over', NOTE, {
    settings: {
      scheduleForm: true,
      scheduleStart: '',
      ...scheduled('End', '01/02/2020'),
      scheduleMessage: 'It is over.',
    },
  })(SENT),
  form('schedule-ahead', NOTE, {
    settings: {
      scheduleForm: true,
      ...scheduled('Start', '01/02/2099'),
      scheduleEnd: '',
      schedulePendingMessage: 'Not yet.',
    },
  })(SENT),
  form('schedule-open', NOTE, {
    settings: { scheduleForm: true, ...scheduled('Start', '01/02/2020'), ...scheduled('End', '01/02/2099', 'pm') },
  })(SENT),
  form('login', NOTE, {
    named: ['requireLogin'],
    settings: { requireLogin: true, requireLoginMessage: 'Members only.' },
  })(SENT),
  form('inactive', NOTE, { afterwards: 'GFFormsModel::update_form_active( $id, 0 );' })(SENT),
  form('trashed', NOTE, { afterwards: 'GFFormsModel::trash_form( $id );' })(SENT),
  form('save', NOTE, {
    named: ['save'],
    settings: { save: { enabled: true, button: { type: 'link', text: 'Save for later' } } },
  })(SENT),
  form('honeypot', NOTE, { settings: { enableHoneypot: true, honeypotAction: 'spam' } })(
    ['left empty, as people do', { input_1: 'x' }],
    ['filled in, as machines do', { input_1: 'x', input_2: 'spam' }, { expected: { finding: 'set aside' } }],
  ),
  form('no-address', NOTE, { settings: { personalData: { preventIP: true, retention: { policy: 'retain' } } } })(SENT),
  form('button-empty', NOTE, { settings: { button: { type: 'text', text: '', imageUrl: '' } } })(SENT),
  form('button-image', NOTE, {
    named: ['submitImage'],
    settings: { button: { type: 'image', text: '', imageUrl: 'https://example.org/send.png' } },
  })(SENT),
  // Confirmations and notifications.
  form(
    'confirm-merge',
    NOTE,
    confirms({
      message: 'Thank you {Note:1}, from {form_title}.\n\nA <a href="/about/">second</a> line of {date_mdy}.',
    }),
  )(['message with merge tags', { input_1: 'Zoë <b>"\\' }]),
  form('confirm-condition', NOTE, {
    settings: {
      confirmations: {
        ...confirmation('c1', { isDefault: true, message: 'Default.' }),
        ...confirmation('c2', { message: 'For the press.', ...IF_PRESS }),
      },
    },
  })(['the condition’s message', { input_1: 'press' }], ['the default message', { input_1: 'read' }]),
  form(
    'confirm-page',
    NOTE,
    confirms({ type: 'page', pageId: '{privacy}', queryString: 'n={Note:1}&s=1' }),
  )(['another page, with a query', { input_1: 'Zoë & co' }]),
  form(
    'confirm-own',
    NOTE,
    confirms({ type: 'redirect', url: '{home}/privacy-policy/?a=b', queryString: 'n={Note:1}' }),
  )(['an own address', { input_1: 'x' }]),
  form(
    'confirm-elsewhere',
    NOTE,
    confirms({ type: 'redirect', url: 'https://example.org/thanks', queryString: 'n={Note:1}' }),
  )(['an address on another host', { input_1: 'x y' }]),
  form(
    'confirm-none',
    NOTE,
    confirms({ message: '' }),
  )(['an empty message', { input_1: 'x' }, differs('confirmation')]),
  form('notify-condition', NOTE, {
    settings: {
      notifications: {
        ...notification('n1', { ...IF_PRESS, subject: 'For the press {entry_id}' }),
        ...notification('n2', { conditionalLogic: rule('1', 'is', 'read') }),
        ...notification('n3', { isActive: false }),
      },
    },
  })(['one of two, by its condition', { input_1: 'press' }]),
  form('notify-merge', [field(1, 'text', { label: 'Note' }), field(2, 'email', { label: 'Email' })], {
    settings: {
      notifications: notification('n1', {
        toType: 'field',
        to: '2',
        toField: '2',
        replyTo: '{Email:2}',
        message:
          '{Note:1}|{ip}|{user_agent}|{embed_url}|{source_url}|{referer}|{user:user_login}|{form_id}|{date_mdy}|{embed_post:ID}|{created_by:user_login}',
      }),
    },
  })(['to the visitor, with merge tags', { input_1: 'a "b" \\c', input_2: 'visitor@example.org' }]),
];

/** Settings of every form: the confirmation and the mail to the desk. */
export const SETTINGS = {
  button: { type: 'text', text: 'Send', imageUrl: '' },
  confirmations: confirmation('c0', { isDefault: true, message: 'Thanks.' }),
  notifications: notification('n0', {
    message: '{all_fields}\nfrom {ip} with {user_agent} at {embed_url} by {user:user_login}',
  }),
};
