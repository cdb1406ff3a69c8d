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

const field = (id: number, type: string, more: Record<string, unknown> = {}) =>
  anyField(id, type, `The ${type} ${id}`, { pageNumber: 1, ...more });

const choices = (...texts: string[]) => texts.map((text) => choice(text));
const boxes = (id: number, ...texts: string[]) => ({
  choices: choices(...texts),
  // Gravity Forms skips numbers that end in zero.
  inputs: texts.map((label, at) => ({ id: `${id}.${at + 1 + Math.floor(at / 9)}`, label, name: '' })),
});
const parts = (id: number, names: Record<number, string>, more: Record<number, Record<string, unknown>> = {}) => ({
  inputs: Object.entries(names).map(([part, label]) => ({
    id: `${id}.${part}`,
    label,
    name: '',
    ...more[Number(part)],
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

/** A form with one text field, to test settings of the form. */
const note = (rows: TrialRow[] = [{ what: 'sent', answers: { input_1: 'Ada' } }]) => ({
  fields: [field(1, 'text', { label: 'Note' })],
  rows,
});

const file = (name: string, text: string, type = 'text/plain') => new File([text], name, { type });
const GIF =
  'GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;';

const TEXTS: TrialForm[] = [
  {
    name: 'text',
    fields: [field(1, 'text')],
    rows: [
      { what: 'backslashes, quotes, markup, emoji', answers: { input_1: NASTY } },
      { what: 'leading and trailing space and noughts', answers: { input_1: '  007 ' } },
      { what: '“0” alone', answers: { input_1: '0' } },
      { what: 'only backslashes', answers: { input_1: '\\\\\\' } },
    ],
  },
  {
    name: 'text-required',
    fields: [field(1, 'text', { isRequired: true }), field(2, 'text')],
    rows: [
      { what: 'left empty', answers: { input_2: 'x' } },
      { what: 'only spaces', answers: { input_1: '   ', input_2: 'x' } },
      { what: 'filled in', answers: { input_1: 'x' } },
    ],
  },
  {
    name: 'text-message',
    fields: [field(1, 'text', { isRequired: true, errorMessage: 'Do say who.' }), field(2, 'text')],
    rows: [{ what: 'own message, left empty', answers: { input_2: 'x' } }],
  },
  {
    name: 'text-max',
    fields: [field(1, 'text', { maxLength: '5' })],
    rows: [
      { what: 'as long as allowed', answers: { input_1: '東京🏍️' } },
      { what: 'too long', answers: { input_1: 'abcdef' } },
    ],
  },
  {
    name: 'text-mask',
    named: ['inputMask'],
    fields: [field(1, 'text', { inputMask: true, inputMaskValue: '99-aa', inputMaskIsCustom: true })],
    rows: [
      { what: 'as the mask says', answers: { input_1: '12-ab' } },
      { what: 'against the mask', answers: { input_1: 'whatever' } },
    ],
  },
  {
    name: 'text-unique',
    named: ['noDuplicates'],
    fields: [field(1, 'text', { noDuplicates: true })],
    rows: [
      { what: 'first', answers: { input_1: 'one' } },
      { what: 'the same again', answers: { input_1: 'one' } },
      { what: 'another', answers: { input_1: 'two' } },
    ],
  },
  {
    name: 'text-default',
    fields: [field(1, 'text', { defaultValue: 'as it was' }), field(2, 'text', { defaultValue: '{embed_url}' })],
    rows: [{ what: 'left as it is', ...differs('2', 'mails'), answers: {} }],
  },
  {
    name: 'text-dynamic',
    fields: [
      field(1, 'text', { allowsPrepopulate: true, inputName: 'who' }),
      field(2, 'hidden', { allowsPrepopulate: true, inputName: 'utm_source' }),
    ],
    rows: [{ what: 'filled in by the address', query: '?who=Zo%C3%AB%20%5C%22&utm_source=mail', answers: {} }],
  },
  {
    name: 'text-hidden',
    fields: [
      field(1, 'text'),
      field(2, 'text', { visibility: 'hidden', defaultValue: 'kept' }),
      field(3, 'text', { visibility: 'administrative', defaultValue: 'office' }),
    ],
    rows: [{ what: 'next to a hidden and an administrative field', answers: { input_1: 'x' } }],
  },
  {
    name: 'text-password',
    fields: [field(1, 'text', { enablePasswordInput: true })],
    rows: [{ what: 'shown as a password', answers: { input_1: 'se\\cret' } }],
  },
  {
    name: 'textarea',
    fields: [field(1, 'textarea')],
    rows: [
      { what: 'several lines', answers: { input_1: LINES } },
      { what: 'backslashes, quotes, markup, emoji', answers: { input_1: NASTY } },
      { what: 'nearly ten thousand characters', answers: { input_1: LONG } },
      { what: 'twenty thousand characters', ...REFUSED, answers: { input_1: LONG + LONG } },
    ],
  },
  {
    name: 'textarea-max',
    fields: [field(1, 'textarea', { maxLength: '10' })],
    rows: [
      { what: 'as long as allowed, over two lines', answers: { input_1: 'abcd\r\nefgh' } },
      { what: 'too long', answers: { input_1: 'abcdefghijk' } },
    ],
  },
  {
    name: 'textarea-rich',
    named: ['richText'],
    fields: [field(1, 'textarea', { useRichTextEditor: true })],
    rows: [{ what: 'with markup', answers: { input_1: '<p>One <strong>two</strong></p>' } }],
  },
  {
    name: 'hidden',
    fields: [field(1, 'hidden', { defaultValue: 'a "b" \\ c' }), field(2, 'text')],
    rows: [{ what: 'with a default', answers: { input_2: 'x' } }],
  },
  {
    name: 'hidden-merge',
    fields: [
      field(1, 'hidden', { defaultValue: '{embed_post:post_title}|{date_mdy}|{user:user_login}' }),
      field(2, 'text'),
    ],
    rows: [{ what: 'with merge tags', ...differs('1', 'mails'), answers: { input_2: 'x' } }],
  },
  {
    name: 'html-section',
    fields: [
      field(1, 'html', { content: '<p>About {form_title} on {date_mdy}</p>' }),
      field(2, 'section'),
      field(3, 'text'),
    ],
    rows: [{ what: 'text and section between fields', answers: { input_3: 'x' } }],
  },
];

const CHOICES: TrialForm[] = [
  {
    name: 'select',
    fields: [field(1, 'select', { choices: [choice('One', '1'), choice('Two & "2"', 'two\\"'), choice('Three', '')] })],
    rows: [
      { what: 'first by itself', answers: {} },
      { what: 'value with a backslash and a quote', answers: { input_1: 'two\\"' } },
      { what: 'a value that is not offered', ...REFUSED, answers: { input_1: 'nine' } },
    ],
  },
  {
    name: 'select-required',
    fields: [
      field(1, 'select', { isRequired: true, placeholder: 'Choose', choices: choices('a', 'b') }),
      field(2, 'text'),
    ],
    rows: [
      { what: 'left open', answers: { input_2: 'x' } },
      { what: 'chosen', answers: { input_1: 'b' } },
    ],
  },
  {
    name: 'multiselect',
    fields: [field(1, 'multiselect', { storageType: 'json', choices: choices('a', 'b,c', 'd "e"') })],
    rows: [
      { what: 'two, with a comma and quotes', answers: { input_1: ['b,c', 'd "e"'] } },
      { what: 'one', answers: { input_1: ['a'] } },
      { what: 'not offered', ...REFUSED, answers: { input_1: ['zz'] } },
    ],
  },
  {
    name: 'radio',
    fields: [field(1, 'radio', { choices: [choice('Small', 's'), choice('Medium', 'm\\')] })],
    rows: [
      { what: 'chosen, value with a backslash', answers: { input_1: 'm\\' } },
      { what: 'not offered', ...REFUSED, answers: { input_1: 'xl' } },
    ],
  },
  {
    name: 'radio-other',
    fields: [field(1, 'radio', { enableOtherChoice: true, choices: choices('a', 'b') })],
    rows: [
      { what: 'a choice', answers: { input_1: 'a' } },
      { what: 'Other, written in', answers: { input_1: 'gf_other_choice', input_1_other: 'My \\own "one"' } },
    ],
  },
  {
    name: 'checkbox',
    fields: [field(1, 'checkbox', boxes(1, 'a', 'b "c"', 'd\\e'))],
    rows: [
      { what: 'two', answers: { input_1_2: 'b "c"', input_1_3: 'd\\e' } },
      { what: 'not offered', ...REFUSED, answers: { input_1_1: 'zz' } },
    ],
  },
  {
    name: 'checkbox-many',
    fields: [field(1, 'checkbox', boxes(1, ...'abcdefghijkl'))],
    rows: [{ what: 'past the tenth', answers: { input_1_11: 'j', input_1_13: 'l' } }],
  },
  {
    name: 'checkbox-required',
    fields: [field(1, 'checkbox', { ...boxes(1, 'a', 'b'), isRequired: true }), field(2, 'text')],
    rows: [{ what: 'none', answers: { input_2: 'x' } }],
  },
  {
    name: 'checkbox-all',
    named: ['selectAll'],
    fields: [field(1, 'checkbox', { ...boxes(1, 'a', 'b'), enableSelectAll: true })],
    rows: [{ what: 'all', answers: { input_1_1: 'a', input_1_2: 'b' } }],
  },
  {
    name: 'checkbox-exactly',
    fields: [field(1, 'checkbox', { ...boxes(1, 'a', 'b', 'c'), choiceLimit: 'exactly', choiceLimitNumber: 2 })],
    rows: [
      { what: 'exactly two asked, two given', answers: { input_1_1: 'a', input_1_2: 'b' } },
      { what: 'exactly two asked, one given', answers: { input_1_1: 'a' } },
    ],
  },
  {
    name: 'checkbox-range',
    fields: [
      field(1, 'checkbox', { ...boxes(1, 'a', 'b', 'c'), choiceLimit: 'range', choiceLimitMin: 1, choiceLimitMax: 2 }),
    ],
    rows: [
      { what: 'one to two asked, two given', answers: { input_1_1: 'a', input_1_2: 'b' } },
      { what: 'one to two asked, three given', answers: { input_1_1: 'a', input_1_2: 'b', input_1_3: 'c' } },
    ],
  },
  {
    name: 'multi-choice-one',
    fields: [field(1, 'multi_choice', { inputType: 'radio', choiceLimit: 'single', choices: choices('a', 'b') })],
    rows: [{ what: 'one of several', answers: { input_1: 'b' } }],
  },
  {
    name: 'multi-choice-many',
    fields: [
      field(1, 'multi_choice', {
        inputType: 'checkbox',
        choiceLimit: 'unlimited',
        choices: [choice('a', 'a', { key: 'k1' }), choice('b', 'b', { key: 'k2' })],
        inputs: [
          { id: '1.1', label: 'a', key: 'k1' },
          { id: '1.2', label: 'b', key: 'k2' },
        ],
      }),
    ],
    rows: [{ what: 'both', answers: { input_1_1: 'a', input_1_2: 'b' } }],
  },
  {
    name: 'image-choice',
    fields: [
      field(1, 'image_choice', {
        inputType: 'radio',
        choiceLimit: 'single',
        choices: [choice('Coast', 'coast', { attachment_id: 0 }), choice('Pass', 'pass', { attachment_id: 0 })],
      }),
    ],
    rows: [{ what: 'one', answers: { input_1: 'pass' } }],
  },
];

const NUMBERS: TrialForm[] = [
  {
    name: 'number-dot',
    fields: [field(1, 'number', { numberFormat: 'decimal_dot' })],
    rows: [
      { what: '12.50', answers: { input_1: '12.50' } },
      { what: '007', answers: { input_1: '007' } },
      { what: '-0.5', answers: { input_1: '-0.5' } },
      { what: 'twelve', answers: { input_1: 'twelve' } },
      { what: '1,234.5', answers: { input_1: '1,234.5' } },
      { what: '0', answers: { input_1: '0' } },
      { what: '1e3', answers: { input_1: '1e3' } },
    ],
  },
  {
    name: 'number-comma',
    fields: [field(1, 'number', { numberFormat: 'decimal_comma' })],
    rows: [
      { what: '12,50', answers: { input_1: '12,50' } },
      { what: '1.234,5', answers: { input_1: '1.234,5' } },
      { what: '12.5', answers: { input_1: '12.5' } },
    ],
  },
  {
    name: 'number-currency',
    fields: [field(1, 'number', { numberFormat: 'currency' })],
    rows: [
      { what: '$1,234.50', answers: { input_1: '$1,234.50' } },
      { what: '12.5', answers: { input_1: '12.5' } },
      { what: '12,5', answers: { input_1: '12,5' } },
      { what: '€ 5', ...REFUSED, answers: { input_1: '€ 5' } },
    ],
  },
  {
    name: 'number-range',
    fields: [field(1, 'number', { numberFormat: 'decimal_dot', rangeMin: '1.5', rangeMax: '10' })],
    rows: [
      { what: 'within', answers: { input_1: '1.5' } },
      { what: 'below', answers: { input_1: '1.4' } },
      { what: 'above', answers: { input_1: '11' } },
    ],
  },
  {
    name: 'number-calculated',
    named: ['calculation'],
    fields: [
      field(1, 'number', { numberFormat: 'decimal_dot' }),
      field(2, 'number', {
        numberFormat: 'decimal_dot',
        enableCalculation: true,
        calculationFormula: '{The number 1:1} * 2',
        calculationRounding: '',
      }),
    ],
    rows: [{ what: 'twice another', answers: { input_1: '21' } }],
  },
];

const NAME_PARTS = { 2: 'Prefix', 3: 'First', 4: 'Middle', 6: 'Last', 8: 'Suffix' };
const ADDRESS_PARTS = { 1: 'Street', 2: 'Line 2', 3: 'City', 4: 'State', 5: 'ZIP', 6: 'Country' };
const DATE_PARTS = { 1: 'Month', 2: 'Day', 3: 'Year' };
const dates = (name: string, format: string, dateType: string): TrialForm => ({
  name,
  named: ['date'],
  fields: [
    field(1, 'date', { dateType, dateFormat: format, ...(dateType === 'datepicker' ? {} : parts(1, DATE_PARTS)) }),
  ],
  rows: [
    { what: 'a day', answers: { input_1: { date: [2027, 3, 9] } } },
    ...(dateType === 'datepicker'
      ? [
          { what: 'no day: 31 February', answers: { input_1: { date: [2027, 2, 31] as [number, number, number] } } },
          { what: 'words', answers: { input_1: 'tomorrow' } },
        ]
      : []),
  ],
});
const time = (name: string, timeFormat: string): TrialForm => ({
  name,
  fields: [field(1, 'time', { timeFormat, ...parts(1, { 1: 'HH', 2: 'MM', 3: 'AM/PM' }) })],
  rows: [
    { what: 'in the evening', answers: { input_1: { time: [21, 5] } } },
    { what: 'midnight', answers: { input_1: { time: [0, 0] } } },
    { what: 'noon', answers: { input_1: { time: [12, 30] } } },
    { what: '25:00', answers: { input_1: { time: [25, 0] } } },
  ],
});

const PARTS: TrialForm[] = [
  {
    name: 'name',
    fields: [
      field(1, 'name', {
        nameFormat: 'advanced',
        ...parts(1, NAME_PARTS, {
          2: { choices: choices('Dr.', 'Ms.'), inputType: 'radio' },
          4: { isHidden: true },
          8: { isHidden: true },
        }),
      }),
    ],
    rows: [
      { what: 'prefix, first, last', answers: { input_1_2: 'Dr.', input_1_3: 'Zoë "Z" \\', input_1_6: 'O’Neil-Ōta' } },
      { what: 'first only', answers: { input_1_3: 'Zoë' } },
    ],
  },
  {
    name: 'name-all',
    fields: [
      field(1, 'name', {
        nameFormat: 'advanced',
        ...parts(1, NAME_PARTS, { 2: { choices: choices('Dr.', 'Ms.') }, 4: { isHidden: false } }),
      }),
    ],
    rows: [
      {
        what: 'all five parts',
        answers: { input_1_2: 'Ms.', input_1_3: 'A', input_1_4: 'B', input_1_6: 'C', input_1_8: 'Jr.' },
      },
    ],
  },
  {
    name: 'name-required',
    fields: [
      field(1, 'name', {
        isRequired: true,
        nameFormat: 'advanced',
        ...parts(1, NAME_PARTS, { 2: { isHidden: true }, 4: { isHidden: true }, 8: { isHidden: true } }),
      }),
    ],
    rows: [
      { what: 'without the last', answers: { input_1_3: 'Ada' } },
      { what: 'both', answers: { input_1_3: 'Ada', input_1_6: 'Q' } },
    ],
  },
  {
    name: 'name-simple',
    fields: [field(1, 'name', { nameFormat: 'simple' })],
    rows: [{ what: 'in one line (an old format)', answers: { input_1: 'Ada Q' } }],
  },
  dates('date-mdy', 'mdy', 'datepicker'),
  dates('date-dmy', 'dmy', 'datepicker'),
  dates('date-dmy-dash', 'dmy_dash', 'datepicker'),
  dates('date-dmy-dot', 'dmy_dot', 'datepicker'),
  dates('date-ymd-slash', 'ymd_slash', 'datepicker'),
  dates('date-ymd-dash', 'ymd_dash', 'datepicker'),
  dates('date-ymd-dot', 'ymd_dot', 'datepicker'),
  dates('date-fields', 'dmy', 'datefield'),
  dates('date-dropdown', 'mdy', 'datedropdown'),
  time('time-12', '12'),
  time('time-24', '24'),
  {
    name: 'phone-standard',
    fields: [field(1, 'phone', { phoneFormat: 'standard' })],
    rows: [
      { what: '(555) 123-4567', answers: { input_1: '(555) 123-4567' } },
      { what: '5551234567', answers: { input_1: '5551234567' } },
      { what: 'too short', answers: { input_1: '123' } },
    ],
  },
  {
    name: 'phone-international',
    fields: [field(1, 'phone', { phoneFormat: 'international' })],
    rows: [
      { what: '+44 20 7946 0018', answers: { input_1: '+44 20 7946 0018' } },
      { what: 'letters', ...REFUSED, answers: { input_1: 'call me' } },
    ],
  },
  {
    name: 'address',
    fields: [field(1, 'address', { addressType: 'international', ...parts(1, ADDRESS_PARTS) })],
    rows: [
      {
        what: 'all parts',
        answers: {
          input_1_1: 'Str. 1\\a',
          input_1_2: 'c/o "B"',
          input_1_3: 'Wien',
          input_1_4: 'Wien',
          input_1_5: '01010',
          input_1_6: 'Austria',
        },
      },
    ],
  },
  {
    name: 'address-us',
    fields: [field(1, 'address', { addressType: 'us', defaultCountry: 'United States', ...parts(1, ADDRESS_PARTS) })],
    rows: [
      {
        what: 'of the United States',
        answers: { input_1_1: '1 Main', input_1_3: 'Reno', input_1_4: 'Nevada', input_1_5: '89501' },
      },
    ],
  },
  {
    name: 'address-canada',
    fields: [field(1, 'address', { addressType: 'canadian', defaultCountry: 'Canada', ...parts(1, ADDRESS_PARTS) })],
    rows: [
      {
        what: 'of Canada',
        answers: { input_1_1: '1 Main', input_1_3: 'Regina', input_1_4: 'Saskatchewan', input_1_5: 'S4N 0A1' },
      },
    ],
  },
  {
    name: 'address-required',
    fields: [
      field(1, 'address', {
        isRequired: true,
        addressType: 'us',
        defaultCountry: 'United States',
        ...parts(1, ADDRESS_PARTS),
      }),
    ],
    rows: [{ what: 'without the city', answers: { input_1_1: '1 Main', input_1_4: 'Nevada', input_1_5: '89501' } }],
  },
  {
    name: 'address-default',
    fields: [
      field(1, 'address', {
        addressType: 'international',
        defaultCountry: 'Austria',
        hideState: true,
        hideAddress2: true,
        ...parts(1, ADDRESS_PARTS),
      }),
    ],
    rows: [
      {
        what: 'with a chosen country and hidden parts',
        answers: { input_1_1: 'S', input_1_3: 'Wien', input_1_5: '1010' },
      },
    ],
  },
  {
    name: 'website',
    fields: [field(1, 'website')],
    rows: [
      { what: 'https address', answers: { input_1: 'https://example.org/a?b=c&d=%20e#f' } },
      { what: 'without https', answers: { input_1: 'example.org' } },
      { what: 'words', answers: { input_1: 'not one' } },
    ],
  },
  {
    name: 'email',
    fields: [field(1, 'email')],
    rows: [
      { what: 'an address', answers: { input_1: "o'neil+x@example.org" } },
      { what: 'none', answers: { input_1: 'nobody' } },
    ],
  },
  {
    name: 'email-confirm',
    fields: [
      field(1, 'email', {
        emailConfirmEnabled: true,
        inputs: [
          { id: '1', label: 'Email', name: '' },
          { id: '1.2', label: 'Again', name: '' },
        ],
      }),
    ],
    rows: [
      { what: 'twice the same', answers: { input_1: 'a@example.org', input_1_2: 'a@example.org' } },
      { what: 'twice, different', answers: { input_1: 'a@example.org', input_1_2: 'b@example.org' } },
    ],
  },
  {
    name: 'email-unique',
    named: ['noDuplicates'],
    fields: [field(1, 'email', { noDuplicates: true })],
    rows: [
      { what: 'first', answers: { input_1: 'a@example.org' } },
      { what: 'the same again', answers: { input_1: 'a@example.org' } },
      { what: 'in capitals', answers: { input_1: 'A@EXAMPLE.ORG' } },
    ],
  },
  {
    name: 'consent',
    fields: [
      field(1, 'consent', {
        checkboxLabel: 'I agree to the <a href="/privacy-policy/">privacy policy</a>.',
        description: 'We write <em>seldom</em>.',
        descriptionPlaceholder: '',
        choices: [choice('Checked', '1')],
        inputs: [
          { id: '1.1', label: 'Consent', name: '' },
          { id: '1.2', label: 'Text', name: '', isHidden: true },
          { id: '1.3', label: 'Description', name: '', isHidden: true },
        ],
      }),
      field(2, 'text'),
    ],
    rows: [
      { what: 'given', answers: { input_1_1: '1', input_2: 'x' } },
      { what: 'not given', answers: { input_2: 'x' } },
    ],
  },
  {
    name: 'consent-required',
    fields: [
      field(1, 'consent', {
        isRequired: true,
        checkboxLabel: 'I agree.',
        choices: [choice('Checked', '1')],
        inputs: [
          { id: '1.1', label: 'Consent', name: '' },
          { id: '1.2', label: 'Text', name: '', isHidden: true },
          { id: '1.3', label: 'Description', name: '', isHidden: true },
        ],
      }),
      field(2, 'text'),
    ],
    rows: [{ what: 'not given', answers: { input_2: 'x' } }],
  },
];

const FILES: TrialForm[] = [
  {
    name: 'file',
    fields: [field(1, 'fileupload', { allowedExtensions: 'txt, gif', maxFileSize: 1 }), field(2, 'text')],
    rows: [
      {
        what: 'a text',
        ...differs('1', 'mails'),
        answers: { input_1: [file('my "notes" ü.txt', 'Several words\nof text.')], input_2: 'x' },
      },
      { what: 'one byte', answers: { input_1: [file('tiny.txt', 'x')] } },
      { what: 'a picture by another name', answers: { input_1: [file('fake.txt', GIF, 'text/plain')], input_2: 'x' } },
      { what: 'a kind that is not allowed', answers: { input_1: [file('a.pdf', '%PDF-1.4')], input_2: 'x' } },
      { what: 'too large', answers: { input_1: [file('big.txt', 'word '.repeat(230_000))], input_2: 'x' } },
      { what: 'none', answers: { input_2: 'with \\ no file' } },
    ],
  },
  {
    name: 'file-required',
    fields: [field(1, 'fileupload', { isRequired: true }), field(2, 'text')],
    rows: [{ what: 'required, none', answers: { input_2: 'x' } }],
  },
  {
    name: 'files',
    fields: [field(1, 'fileupload', { multipleFiles: true, allowedExtensions: 'txt', maxFiles: 2 }), field(2, 'text')],
    rows: [
      {
        what: 'two (its own page sends them by script)',
        ...differs('1', 'mails'),
        answers: { input_1: [file('a.txt', 'First of two.'), file('b.txt', 'Second of two.')], input_2: 'x' },
      },
    ],
  },
];

const RARE: TrialForm[] = [
  {
    name: 'list',
    named: ['list'],
    fields: [field(1, 'list'), field(2, 'text')],
    rows: [{ what: 'one column, two rows', answers: { input_1: ['Ada', 'Bo \\ "x"'], input_2: 'x' } }],
  },
  {
    name: 'list-columns',
    named: ['list'],
    fields: [field(1, 'list', { enableColumns: true, choices: choices('Reader', 'Bike') }), field(2, 'text')],
    rows: [{ what: 'two columns, two rows', answers: { input_1: ['Ada', 'Dusk', 'Bo', 'Dawn'], input_2: 'x' } }],
  },
  {
    name: 'list-required',
    named: ['list'],
    fields: [field(1, 'list', { isRequired: true }), field(2, 'text')],
    rows: [
      { what: 'required, left empty', answers: { input_2: 'x' } },
      { what: 'required, filled in', answers: { input_1: ['Ada'], input_2: 'x' } },
    ],
  },
  {
    name: 'password',
    named: ['password'],
    fields: [field(1, 'password', parts(1, {})), field(2, 'text')].map((each) =>
      each.type === 'password'
        ? {
            ...each,
            inputs: [
              { id: '1', label: 'Password' },
              { id: '1.2', label: 'Again' },
            ],
          }
        : each,
    ),
    rows: [
      {
        what: 'typed twice',
        ...undrawn('1'),
        answers: { input_1: 'correct horse', input_1_2: 'correct horse', input_2: 'x' },
      },
    ],
  },
  {
    name: 'username',
    named: ['username'],
    fields: [field(1, 'username'), field(2, 'text')],
    rows: [{ what: 'of the User Registration add-on', answers: { input_1: 'ada', input_2: 'x' } }],
  },
  {
    name: 'post',
    named: [
      'post_title',
      'post_content',
      'post_excerpt',
      'post_tags',
      'post_category',
      'post_custom_field',
      'post_image',
    ],
    fields: [
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
    rows: [
      {
        what: 'all its fields',
        ...undrawn('1', '2', '3', '4', '5', '6', 'mails', 'post'),
        answers: { input_1: 'T', input_2: 'C', input_3: 'E', input_4: 'a, b', input_6: 'm', input_8: 'x' },
      },
    ],
  },
  {
    name: 'product',
    named: ['product', 'option', 'quantity', 'shipping', 'total'],
    fields: [
      field(1, 'product', {
        inputType: 'singleproduct',
        basePrice: '$10.00',
        ...parts(1, { 1: 'Name', 2: 'Price', 3: 'Quantity' }),
      }),
      field(2, 'option', { inputType: 'select', productField: 1, choices: [choice('Red', 'Red', { price: '$1.00' })] }),
      field(3, 'quantity', { inputType: 'number', productField: 1 }),
      field(4, 'shipping', { inputType: 'singleshipping', basePrice: '$5.00' }),
      field(5, 'total'),
      field(6, 'text'),
    ],
    rows: [
      {
        what: 'product, option, quantity, shipping, total',
        ...undrawn('1.1', '1.2', '2', '3', '4', '5', 'mails'),
        answers: { input_3: '2', input_6: 'x' },
      },
    ],
  },
  {
    name: 'product-select',
    named: ['product'],
    fields: [
      field(1, 'product', { inputType: 'select', choices: [choice('Helmet', 'Helmet', { price: '$200.00' })] }),
      field(2, 'text'),
    ],
    rows: [{ what: 'chosen from a list', ...differs('1', 'mails'), answers: { input_2: 'x' } }],
  },
  {
    name: 'product-hidden',
    named: ['product'],
    fields: [
      field(1, 'product', {
        inputType: 'hiddenproduct',
        basePrice: '$10.00',
        ...parts(1, { 1: 'Name', 2: 'Price', 3: 'Quantity' }),
      }),
      field(2, 'text'),
    ],
    rows: [{ what: 'hidden', ...differs('1.1', '1.2', '1.3', 'mails'), answers: { input_2: 'x' } }],
  },
  {
    name: 'product-price',
    named: ['product'],
    fields: [field(1, 'product', { inputType: 'price' }), field(2, 'text')],
    rows: [
      { what: 'price that the visitor sets', ...undrawn('1', 'mails'), answers: { input_1: '$7.50', input_2: 'x' } },
    ],
  },
  {
    name: 'creditcard',
    named: ['creditcard'],
    fields: [
      field(1, 'creditcard', {
        creditCards: ['visa'],
        ...parts(1, { 1: 'Number', '2_month': 'Month', '2_year': 'Year', 3: 'Code', 4: 'Type', 5: 'Name' } as Record<
          string,
          string
        >),
      }),
      field(2, 'text'),
    ],
    rows: [{ what: 'left empty', answers: { input_2: 'x' } }],
  },
  {
    name: 'captcha',
    named: ['captcha'],
    fields: [field(1, 'captcha', { captchaType: 'recaptcha' }), field(2, 'text')],
    rows: [{ what: 'reCAPTCHA that no key is set for', ...TAKEN, answers: { input_2: 'x' } }],
  },
  {
    name: 'repeater',
    named: ['repeater'],
    fields: [field(1, 'repeater', { fields: [field(3, 'text', { formId: 0 })] }), field(2, 'text')],
    rows: [{ what: 'left empty', answers: { input_2: 'x' } }],
  },
  {
    name: 'signature',
    named: ['signature'],
    fields: [field(1, 'signature'), field(2, 'text')],
    rows: [{ what: 'of an add-on that is not there', answers: { input_2: 'x' } }],
  },
];

const LOGIC: TrialForm[] = [
  {
    name: 'logic-field',
    fields: [
      field(1, 'select', { choices: choices('read', 'press') }),
      field(2, 'text', { isRequired: true, conditionalLogic: rule('1', 'is', 'press') }),
      field(3, 'text', { defaultValue: 'left', conditionalLogic: rule('1', 'is', 'press') }),
    ],
    rows: [
      { what: 'hidden by an answer', answers: { input_1: 'read' } },
      { what: 'shown by an answer, filled in', answers: { input_1: 'press', input_2: 'paper' } },
      { what: 'shown by an answer, required, empty', answers: { input_1: 'press' } },
    ],
  },
  {
    name: 'logic-page',
    fields: [
      field(1, 'select', { choices: choices('read', 'press') }),
      field(2, 'page', {
        pageNumber: 2,
        nextButton: { type: 'text', text: 'Next' },
        previousButton: { type: 'text', text: 'Previous' },
        conditionalLogic: rule('1', 'is', 'press'),
      }),
      field(3, 'text', { pageNumber: 2, isRequired: true }),
      field(4, 'page', {
        pageNumber: 3,
        nextButton: { type: 'text', text: 'Next' },
        previousButton: { type: 'text', text: 'Previous' },
      }),
      field(5, 'text', { pageNumber: 3 }),
    ],
    settings: {
      pagination: { type: 'steps', pages: ['A', 'B', 'C'], style: 'blue' },
      firstPageCssClass: '',
      lastPageButton: { type: 'text', text: 'Back' },
    },
    rows: [
      { what: 'a page left out', answers: { input_1: 'read', input_5: 'x' } },
      { what: 'all pages', answers: { input_1: 'press', input_3: 'paper', input_5: 'x' } },
    ],
  },
  {
    name: 'logic-button',
    fields: [field(1, 'select', { choices: choices('read', 'press') })],
    settings: { button: { type: 'text', text: 'Send', imageUrl: '', conditionalLogic: rule('1', 'is', 'press') } },
    rows: [
      { what: 'its condition met', answers: { input_1: 'press' } },
      { what: 'its condition not met', answers: { input_1: 'read' } },
    ],
  },
  {
    name: 'logic-next',
    fields: [
      field(1, 'select', { choices: choices('read', 'press') }),
      field(2, 'page', {
        pageNumber: 2,
        nextButton: { type: 'text', text: 'Next', conditionalLogic: rule('1', 'is', 'press') },
      }),
      field(3, 'text', { pageNumber: 2 }),
    ],
    settings: { pagination: { type: 'steps', pages: ['A', 'B'] }, lastPageButton: { type: 'text', text: 'Back' } },
    rows: [{ what: 'the next button’s condition not met', answers: { input_1: 'read', input_3: 'x' } }],
  },
];

const FORMS: TrialForm[] = [
  { name: 'empty', ...note([{ what: 'nothing filled in', answers: {} }]) },
  {
    name: 'limit',
    named: ['limitEntries'],
    ...note([
      { what: 'the last place', answers: { input_1: 'a' } },
      { what: 'full', answers: { input_1: 'b' } },
    ]),
    settings: {
      limitEntries: true,
      limitEntriesCount: '1',
      limitEntriesPeriod: '',
      limitEntriesMessage: 'Sold <em>out</em>, sorry.',
    },
  },
  {
    name: 'schedule-over',
    ...note(),
    settings: {
      scheduleForm: true,
      scheduleStart: '',
      scheduleEnd: '01/02/2020',
      scheduleEndHour: '10',
      scheduleEndMinute: '00',
      scheduleEndAmpm: 'am',
      scheduleMessage: 'It is over.',
    },
  },
  {
    name: 'schedule-ahead',
    ...note(),
    settings: {
      scheduleForm: true,
      scheduleStart: '01/02/2099',
      scheduleStartHour: '10',
      scheduleStartMinute: '00',
      scheduleStartAmpm: 'am',
      scheduleEnd: '',
      schedulePendingMessage: 'Not yet.',
    },
  },
  {
    name: 'schedule-open',
    ...note(),
    settings: {
      scheduleForm: true,
      scheduleStart: '01/02/2020',
      scheduleStartHour: '10',
      scheduleStartMinute: '00',
      scheduleStartAmpm: 'am',
      scheduleEnd: '01/02/2099',
      scheduleEndHour: '10',
      scheduleEndMinute: '00',
      scheduleEndAmpm: 'pm',
    },
  },
  {
    name: 'login',
    named: ['requireLogin'],
    ...note(),
    settings: { requireLogin: true, requireLoginMessage: 'Members only.' },
  },
  { name: 'inactive', ...note(), afterwards: 'GFFormsModel::update_form_active( $id, 0 );' },
  { name: 'trashed', ...note(), afterwards: 'GFFormsModel::trash_form( $id );' },
  {
    name: 'save',
    named: ['save'],
    ...note(),
    settings: { save: { enabled: true, button: { type: 'link', text: 'Save for later' } } },
  },
  {
    name: 'honeypot',
    ...note([
      { what: 'left empty, as people do', answers: { input_1: 'x' } },
      {
        what: 'filled in, as machines do',
        expected: { finding: 'set aside' },
        answers: { input_1: 'x', input_2: 'spam' },
      },
    ]),
    settings: { enableHoneypot: true, honeypotAction: 'spam' },
  },
  { name: 'no-address', ...note(), settings: { personalData: { preventIP: true, retention: { policy: 'retain' } } } },
  { name: 'button-empty', ...note(), settings: { button: { type: 'text', text: '', imageUrl: '' } } },
  {
    name: 'button-image',
    named: ['submitImage'],
    ...note(),
    settings: { button: { type: 'image', text: '', imageUrl: 'https://example.org/send.png' } },
  },
];

const confirmation = (id: string, more: Record<string, unknown>) => ({
  [id]: {
    id,
    name: id,
    isDefault: false,
    type: 'message',
    message: '',
    url: '',
    pageId: '',
    queryString: '',
    disableAutoformat: false,
    ...more,
  },
});
const notification = (id: string, more: Record<string, unknown>) => ({
  [id]: {
    id,
    name: id,
    isActive: true,
    service: 'wordpress',
    event: 'form_submission',
    toType: 'email',
    to: 'desk@example.org',
    from: 'site@example.org',
    subject: '{form_title} {entry_id}',
    message: '{all_fields}',
    ...more,
  },
});

const ANSWERS: TrialForm[] = [
  {
    name: 'confirm-merge',
    ...note([{ what: 'message with merge tags', answers: { input_1: 'Zoë <b>"\\' } }]),
    settings: {
      confirmations: confirmation('c1', {
        isDefault: true,
        message: 'Thank you {Note:1}, from {form_title}.\n\nA <a href="/about/">second</a> line of {date_mdy}.',
      }),
    },
  },
  {
    name: 'confirm-condition',
    ...note([
      { what: 'the condition’s message', answers: { input_1: 'press' } },
      { what: 'the default message', answers: { input_1: 'read' } },
    ]),
    settings: {
      confirmations: {
        ...confirmation('c1', { isDefault: true, message: 'Default.' }),
        ...confirmation('c2', { message: 'For the press.', conditionalLogic: rule('1', 'is', 'press') }),
      },
    },
  },
  {
    name: 'confirm-page',
    ...note([{ what: 'another page, with a query', answers: { input_1: 'Zoë & co' } }]),
    settings: {
      confirmations: confirmation('c1', {
        isDefault: true,
        type: 'page',
        pageId: '{privacy}',
        queryString: 'n={Note:1}&s=1',
      }),
    },
  },
  {
    name: 'confirm-own',
    ...note([{ what: 'an own address', answers: { input_1: 'x' } }]),
    settings: {
      confirmations: confirmation('c1', {
        isDefault: true,
        type: 'redirect',
        url: '{home}/privacy-policy/?a=b',
        queryString: 'n={Note:1}',
      }),
    },
  },
  {
    name: 'confirm-elsewhere',
    ...note([{ what: 'an address on another host', answers: { input_1: 'x y' } }]),
    settings: {
      confirmations: confirmation('c1', {
        isDefault: true,
        type: 'redirect',
        url: 'https://example.org/thanks',
        queryString: 'n={Note:1}',
      }),
    },
  },
  {
    name: 'confirm-none',
    ...note([{ what: 'an empty message', ...differs('confirmation'), answers: { input_1: 'x' } }]),
    settings: { confirmations: confirmation('c1', { isDefault: true, message: '' }) },
  },
  {
    name: 'notify-condition',
    ...note([{ what: 'one of two, by its condition', answers: { input_1: 'press' } }]),
    settings: {
      notifications: {
        ...notification('n1', { conditionalLogic: rule('1', 'is', 'press'), subject: 'For the press {entry_id}' }),
        ...notification('n2', { conditionalLogic: rule('1', 'is', 'read') }),
        ...notification('n3', { isActive: false }),
      },
    },
  },
  {
    name: 'notify-merge',
    fields: [field(1, 'text', { label: 'Note' }), field(2, 'email', { label: 'Email' })],
    rows: [
      { what: 'to the visitor, with merge tags', answers: { input_1: 'a "b" \\c', input_2: 'visitor@example.org' } },
    ],
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
  },
];

export const TRIAL_FORMS: TrialForm[] = [
  ...TEXTS,
  ...CHOICES,
  ...NUMBERS,
  ...PARTS,
  ...FILES,
  ...RARE,
  ...LOGIC,
  ...FORMS,
  ...ANSWERS,
];

/** Settings of every form: the confirmation and the mail to the desk. */
export const SETTINGS = {
  button: { type: 'text', text: 'Send', imageUrl: '' },
  confirmations: confirmation('c0', { isDefault: true, message: 'Thanks.' }),
  notifications: notification('n0', {
    message: '{all_fields}\nfrom {ip} with {user_agent} at {embed_url} by {user:user_login}',
  }),
};
