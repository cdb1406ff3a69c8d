import { EVERY_FIELD } from '@pillion/forms/testing/every-field.ts';
import answers from '@pillion/forms/testing/gravity-forms/answers.json';
import others from '@pillion/forms/testing/gravity-forms/forms-2.10.2.json';
import { expect, test, vi } from 'vitest';
import { recordReads } from '../../cache/reads.ts';
import { accept } from '../../sources/source.ts';
import { createRewriter } from '../../wordpress/rewrite.ts';
import { currentForm, formAt } from '../current-form.ts';
import { formOf } from './form.ts';
import { formSchema } from './schemas.ts';

const rewriter = createRewriter(['https://cms.example']);

function read(fields: unknown[]) {
  const warnings: unknown[] = [];
  const wire = formSchema.parse({ id: 1, title: 'F', description: '', fields, enableHoneypot: true });
  const form = formOf(wire, rewriter, (event, details) => void warnings.push([event, details]));
  const field = (id: number) => form.fields.find((one) => one.id === id);
  return { form, field, warnings };
}

test('R30: every field type of a form is read, and unknown types are left out and logged', () => {
  const { form, warnings } = read(EVERY_FIELD);
  expect(form.fields.map(({ type }) => type)).toEqual(
    'name email phone address select text radio checkbox multiselect date number website textarea hidden html section text section consent time'.split(
      ' ',
    ),
  );
  expect(warnings).toEqual([['content.field-unknown', { form: 1, field: 21, type: 'signature' }]]);
  // The ids of fields that are not shown count too.
  expect(form.honeypot).toBe('input_23');
});

test('R30: fields have their inputs, ranges, formats and default values', () => {
  const { field } = read(EVERY_FIELD);
  const parts = (id: number) =>
    field(id)?.inputs.map(({ name, isRequired, autocomplete }) => [name, isRequired, autocomplete]);
  expect(parts(1)).toEqual([
    ['input_1_2', false, 'honorific-prefix'],
    ['input_1_3', true, 'given-name'],
    ['input_1_6', true, 'family-name'],
  ]);
  expect(field(1)?.inputs[0]?.choices.map(({ value }) => value)).toEqual(['Dr.', 'Ms.']);
  expect(parts(4)?.map(([name]) => name)).toEqual([1, 2, 3, 4, 5].map((part) => `input_4_${part}`));
  expect(field(8)?.inputs).toMatchObject([
    { name: 'input_8_1', label: 'FRI', choices: [] },
    { name: 'input_8_2', label: 'SAT', choices: [] },
  ]);
  expect(parts(19)).toEqual([['input_19_1', true, null]]);
  expect([15, 16].map((id) => field(id)?.inputs)).toEqual([[], []]);
  expect(field(10)?.format).toBe('day-first');
  expect(field(11)).toMatchObject({ min: 1, max: 4, format: '' });
  expect(field(13)).toMatchObject({ maxLength: 20, rows: 3 });
  expect(field(14)?.inputs).toMatchObject([{ prefill: 'utm_source', defaultValue: 'site ' }]);
  expect(field(15)?.html).toBe('<p>Bring <em>water</em>.</p>');
});

test('R30: a consent links to the site, and an invalid field is left out and logged', () => {
  const checkboxLabel = 'I <a href="https://cms.example/privacy/" onclick="x">do</a>';
  const { form, field, warnings } = read([
    { id: 6, type: 'consent', checkboxLabel },
    'nonsense',
    { id: 7, type: 'email' },
  ]);
  expect(form).toMatchObject({ submit: '', closed: null, isLimited: false, honeypot: 'input_8' });
  expect(field(6)?.consentHtml).toBe('I <a href="/privacy/">do</a>');
  expect(field(7)?.inputs).toMatchObject([{ name: 'input_7', autocomplete: 'email' }]);
  expect(form.fields).toHaveLength(2);
  expect(warnings).toEqual([['content.field-dropped', { form: 1, field: 'fields.1.' }]]);
});

test('R30: an editor’s tokens, default values and formats of parts are read', () => {
  const part = (id: string, more = {}) => ({ id, label: id, ...more });
  const places = [part('1.4'), part('1.6'), part('1.1', { customLabel: 'Lane', defaultValue: '{user:city}1 Quay' })];
  const address = { type: 'address', inputs: places, defaultCountry: 'Norway' };
  const boxes = [{ text: 'A' }, { text: 'B', picture: null }];
  const { field } = read([
    { id: 1, ...address, defaultProvince: 'Troms', allowsPrepopulate: true, inputName: 'unused' },
    { id: 2, ...address, inputs: [part('2.4'), part('2.6')], addressType: 'canadian' },
    { id: 3, type: 'text', label: ' Full name ', enableAutocomplete: false, autocompleteAttribute: 'nickname' },
    { id: 4, type: 'text', label: 'Your name', enableAutocomplete: true, autocompleteAttribute: 'nickname' },
    { id: 5, type: 'text', label: 'Name of the boat' },
    { id: 6, type: 'text', label: 'Boat name' },
    { id: 7, type: 'textarea', label: 'Name' },
    {
      id: 8,
      type: 'checkbox',
      choices: boxes,
      inputs: [part('8.1', { name: 'no' })],
      allowsPrepopulate: true,
      inputName: 'days',
    },
    { id: 9, type: 'phone', phoneFormat: 'standard' },
    { id: 10, type: 'number', numberFormat: 'decimal_comma' },
    { id: 11, type: 'date', dateFormat: 'ymd_dmy' },
    { id: 12, type: 'phone', phoneFormat: 'international', emailConfirmEnabled: true, inputs: [part('12.1')] },
  ]);
  expect(field(1)?.inputs).toMatchObject([
    { name: 'input_1_4', label: '1.4', defaultValue: 'Troms', prefill: null },
    { name: 'input_1_6', defaultValue: 'Norway' },
    { name: 'input_1_1', label: 'Lane', defaultValue: '1 Quay' },
  ]);
  expect(field(2)?.inputs.map(({ name, defaultValue }) => [name, defaultValue])).toEqual([['input_2_4', '']]);
  const tokens = [3, 4, 5, 6, 7].map((id) => field(id)?.inputs[0]?.autocomplete);
  expect(tokens).toEqual(['name', 'nickname', null, null, null]);
  expect(field(8)).toMatchObject({
    inputs: [{ prefill: 'days' }],
    choices: boxes.map(({ text }) => ({ text, value: text })),
  });
  expect([9, 10, 11, 12].map((id) => field(id)?.format)).toEqual(['north-american', 'decimal-comma', '', '']);
  expect(field(12)?.inputs.map(({ name }) => name)).toEqual(['input_12']);
});

test('R30: a hidden field with choices has the preselected ones as its values', () => {
  const choices = ['a', 'b', 'c'].map((value) => ({ text: value.toUpperCase(), value, isSelected: value !== 'a' }));
  const oneSelected = choices.map((choice) => ({ ...choice, isSelected: choice.value === 'b' }));
  const inputs = [1, 2, 3].map((part) => ({ id: `3.${part}`, label: `${part}` }));
  const noneSelected = choices.map(({ text, value }) => ({ text, value }));
  const { field } = read(
    [
      { id: 1, type: 'select', choices: oneSelected },
      { id: 2, type: 'radio', choices: oneSelected },
      { id: 3, type: 'checkbox', choices, inputs },
      { id: 4, type: 'select', choices: noneSelected, defaultValue: 'd' },
      { id: 5, type: 'multiselect', choices },
    ].map((one) => ({ ...one, visibility: 'hidden' })),
  );
  const values = (id: number) => field(id)?.inputs.map(({ name, defaultValue }) => [name, defaultValue]);
  expect(field(1)?.type).toBe('hidden');
  expect([1, 2, 4].map(values)).toEqual([[['input_1', 'b']], [['input_2', 'b']], [['input_4', 'd']]]);
  expect(values(3)).toEqual([
    ['input_3_1', ''],
    ['input_3_2', 'b'],
    ['input_3_3', 'c'],
  ]);
  expect(values(5)).toEqual([
    ['input_5[0]', 'b'],
    ['input_5[1]', 'c'],
  ]);
});

test('R30: conditional logic is read with ids and operators in all spellings', () => {
  const { field } = read(EVERY_FIELD);
  expect(field(6)?.logic).toEqual({
    shows: true,
    needsAll: true,
    rules: [{ field: 5, input: null, operator: 'equals', value: 'other' }],
  });
  expect(field(12)?.logic).toMatchObject({
    needsAll: false,
    rules: [{}, { field: 11, operator: 'above', value: '3' }],
  });
  const logic = { actionType: 'hide', logicType: 'any', rules: [{ fieldId: 4.3, operator: 'greater_than', value: 3 }] };
  expect(read([{ id: 2, type: 'text', conditionalLogic: logic }]).field(2)?.logic).toEqual({
    shows: false,
    needsAll: false,
    rules: [{ field: 4, input: 'input_4_3', operator: 'above', value: '3' }],
  });
});

test.each([
  ['', 0],
  [null, 0],
  [[], 0],
  ['broken', 0],
  [{ enabled: false, rules: [{ fieldId: '1', operator: 'is', value: 'x' }] }, 0],
  [{ rules: [] }, 0],
  [{ rules: [{ fieldId: '1', operator: 'is', value: 'x' }, { operator: 'like' }] }, 1],
])('R30: conditional logic of %j is ignored', (conditionalLogic, warned) => {
  const { field, warnings } = read([{ id: 2, type: 'text', conditionalLogic }]);
  expect(field(2)?.logic).toBeNull();
  expect(warnings).toEqual(warned ? [['content.field-logic-unreadable', { form: 1, field: 2 }]] : []);
});

test('R30: each page of a form has its name and the texts of its buttons', () => {
  const wire = formSchema.parse({
    ...{ id: 1, title: 'F', description: '', pagination: { type: 'steps', pages: ['You', 'Read', null] } },
    lastPageButton: { type: 'text', text: 'Back' },
    fields: [
      { id: 1, type: 'page', nextButton: { text: 'On' }, previousButton: { text: 'unused' } },
      { id: 2, type: 'page' },
    ],
  });
  expect(formOf(wire, createRewriter([]), () => {}).steps).toEqual([
    { name: 'You', next: 'On', previous: 'unused' },
    { name: 'Read', next: 'Next', previous: 'Previous' },
    { name: '', next: 'Next', previous: 'Back' },
  ]);
  expect(read([]).form.steps).toEqual([]);
  const button = { type: 'image', imageAlt: 'Go', text: 'Send' };
  const submit = (more: object) =>
    formOf(formSchema.parse({ ...wire, button: { ...button, ...more } }), rewriter, () => {}).submit;
  expect([submit({}), submit({ type: 'text' }), submit({ imageAlt: '' })]).toEqual(['Go', 'Send', 'Send']);
});

test('R30: confirmed email, multiple choice and hidden fields are read, calculated fields are left out', () => {
  const { field, warnings } = read([
    { id: 1, type: 'email', isRequired: true, emailConfirmEnabled: true, inputs: [{ id: '1' }, { id: '1.2' }] },
    { id: 2, type: 'multi_choice', inputType: 'checkbox', choices: [{ text: 'A' }], inputs: [{ id: '2.1' }] },
    { id: 3, type: 'number', enableCalculation: true },
    { id: 4, type: 'text', visibility: 'hidden', isRequired: true },
  ]);
  expect(field(1)?.inputs.map(({ name }) => name)).toEqual(['input_1', 'input_1_2']);
  expect(field(2)).toMatchObject({ type: 'checkbox', inputs: [{ name: 'input_2_1' }] });
  expect(field(4)).toMatchObject({ type: 'hidden', isRequired: false });
  // Gravity Forms calculates it.
  expect(field(3)).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('R30: a file field has Gravity Forms’ limits, but never higher ones than the site’s', () => {
  const upload = (more: object) => read([{ id: 1, type: 'fileupload', label: 'Files', ...more }]).field(1)?.upload;
  const whole = 10 * 2 ** 20;
  expect(upload({})).toEqual({ kinds: [], maxBytes: whole, maxFiles: 1 });
  expect(upload({ allowedExtensions: 'JPG, .png,, *.pdf', maxFileSize: '2', maxFiles: 5 })).toEqual({
    ...{ kinds: ['jpg', 'png', 'pdf'], maxBytes: 2 * 2 ** 20, maxFiles: 1 },
  });
  expect(upload({ multipleFiles: true, maxFiles: '3', maxFileSize: 500 })).toMatchObject({
    maxBytes: whole,
    maxFiles: 3,
  });
  expect(upload({ multipleFiles: true, maxFiles: '' })).toMatchObject({ maxFiles: 20 });
  expect(upload({ visibility: 'hidden' })).toBeNull();
  const { field } = read([{ id: 1, type: 'fileupload', label: 'F', allowsPrepopulate: true, inputName: 'f' }]);
  expect(field(1)?.inputs[0]?.prefill).toBeNull();
});

/** Recorded forms of Gravity Forms by name: those of the comparison, and four others. */
const RECORDED = new Map<string, unknown>([
  ...Object.entries(answers.forms).map(([name, { body }]) => [name, body] as const),
  ...Object.entries(others.forms),
]);

const recorded = (name: string) => formOf(formSchema.parse(RECORDED.get(name)), rewriter, () => {});

test.each([
  ['limit', 'full', '<p>Sold <em>out</em>, sorry.</p>'],
  ['schedule-over', 'expired', '<p>It is over.</p>'],
  ['login', 'login', '<p>Members only.</p>'],
  ['inactive', 'inactive', ''],
  ['bin', 'trash', ''],
])('R30: the closed form “%s” shows the message of Gravity Forms', (name, reason, html) => {
  expect(formAt(recorded(name), Date.UTC(2026, 10, 22)).closed).toEqual({ reason, html });
});

test('R30: a form’s schedule is read in milliseconds, and a full form stays full at any time', () => {
  const times = { opens: Date.parse('2026-01-01T00:00Z'), closes: Date.parse('2099-12-31T12:00Z') };
  expect(recorded('open').schedule).toMatchObject(times);
  expect(formAt(recorded('limit'), 0).closed?.reason).toBe('full');
});

test.each<[number | null, number | null, number, string | null, number]>([
  [100, 200, 99, 'pending', 100],
  [100, 200, 100, null, 201],
  [100, 200, 200, null, 201],
  [100, 200, 201, 'expired', Number.POSITIVE_INFINITY],
  [null, 200, 99, null, 201],
  [100, null, 99, 'pending', 100],
  [100, null, 100, null, Number.POSITIVE_INFINITY],
  [null, null, 100, null, Number.POSITIVE_INFINITY],
])(
  'R30: open from %s to %s, a form at %s has the state %s, and its page expires at %s',
  async (opens, closes, now, state, until) => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    const schedule = { opens, closes, pendingHtml: '<p>Soon.</p>', expiredHtml: '<p>Over.</p>' };
    for (const closed of [null, { reason: 'pending' as const, html: '' }, { reason: 'expired' as const, html: '' }]) {
      const read = await recordReads(async () => currentForm({ ...recorded('open'), schedule, closed }));
      const html = state === 'pending' ? schedule.pendingHtml : schedule.expiredHtml;
      expect(read.value).toMatchObject({ schedule: null, closed: state && { reason: state, html } });
      expect(read.until).toBe(until);
    }
    vi.useRealTimers();
    expect(currentForm(null)).toBeNull();
  },
);

test('R30: every supported field type of Gravity Forms 2.10.2 is read with its settings', () => {
  const form = recorded('every');
  const field = (id: number) => form.fields.find((one) => one.id === id);
  expect(form.fields.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16, 17, 18]);
  expect(form.submitLogic).toMatchObject({ shows: true, rules: [{ field: 1, operator: 'differs', value: 'nobody' }] });
  expect(field(1)?.isUnique).toBe(true);
  expect(field(2)?.other).toEqual({ value: 'gf_other_choice', text: 'Another tour', name: 'input_2_other' });
  expect(field(2)?.choices.map(({ value }) => value)).toEqual(['a', 'b']);
  expect(field(3)?.choiceLimit).toEqual({ min: 2, max: 2 });
  expect(field(4)?.choiceLimit).toEqual({ min: 1, max: 2 });
  expect(field(5)?.choices.map(({ image }) => image?.src)).toEqual([
    expect.stringMatching(/^\/media\//),
    expect.stringMatching(/^\/media\//),
  ]);
  expect(field(6)?.currency).toMatchObject({ decimal: ',', thousands: '.', after: '€' });
  expect(field(8)).toMatchObject({ columns: ['Reader', 'Bike'], maxRows: 4 });
  expect(field(9)?.columns).toBeUndefined();
  expect(field(10)?.fixed).toEqual({ input_10_6: 'United States' });
  expect(field(11)?.fixed).toEqual({
    input_11_2: 'I agree to <b>this</b>',
    input_11_3: expect.stringMatching(/^\d+$/),
  });
  expect(field(13)?.html).toBe('<p>Every kind of , 11/22/2026</p>');
});

test('recipients of Gravity Forms’ notifications are never stored', () => {
  const answer = { id: 1, title: 'F', fields: [], notifications: { a: { to: 'owner@example.org' } } };
  const accepted = accept({ name: 'form', lang: 'en', id: 1 }, answer);
  expect(accepted).toEqual({ ok: true, data: { id: 1, title: 'F', fields: [] } });
});
