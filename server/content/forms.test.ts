import { expect, test } from 'vitest';
import { EVERY_FIELD } from '../../tests/support/every-field.ts';
import { formSchema } from './form-schemas.ts';
import { formOf } from './forms.ts';
import { createRewriter } from './rewrite.ts';

function read(fields: unknown[]) {
  const warnings: unknown[] = [];
  const wire = formSchema.parse({ id: 1, title: 'F', description: '', fields, enableHoneypot: true });
  const form = formOf(wire, createRewriter([]), (event, details) => void warnings.push([event, details]));
  const field = (id: number) => form.fields.find((one) => one.id === id);
  return { form, field, warnings };
}

test('R30: every field type of a form is read; what cannot be shown is left out and logged', () => {
  const { form, warnings } = read(EVERY_FIELD);
  expect(form.fields.map(({ type }) => type)).toEqual(
    'name email phone address select text radio checkbox multiselect date number website textarea hidden html section text section consent'.split(
      ' ',
    ),
  );
  expect(warnings).toEqual([
    ['content.field-unknown', { form: 1, field: 21, type: 'signature' }],
    ['content.field-unknown', { form: 1, field: 22, type: 'time of 12 hours' }],
  ]);
  // Fields that are not shown have numbers too.
  expect(form.honeypot).toBe('input_23');
});

test('R30: parts, ranges, formats and what is filled in before the visitor comes', () => {
  const { field } = read(EVERY_FIELD);
  const parts = (id: number) => field(id)?.inputs.map(({ name, isRequired }) => [name, isRequired]);
  expect(parts(1)).toEqual([
    ['input_1_2', false],
    ['input_1_3', true],
    ['input_1_6', true],
  ]);
  expect(field(1)?.inputs[0]?.choices.map(({ value }) => value)).toEqual(['Dr.', 'Ms.']);
  expect(parts(4)?.map(([name]) => name)).not.toContain('input_4_6');
  expect(field(8)?.inputs.map(({ name }) => name)).toEqual(['input_8_1', 'input_8_2']);
  expect(field(10)?.format).toBe('dmy');
  expect(field(11)).toMatchObject({ min: 1, max: 4, format: 'decimal_dot' });
  expect(field(13)).toMatchObject({ maxLength: 20, rows: 3 });
  expect(field(14)?.inputs).toMatchObject([{ prefill: 'utm_source', defaultValue: 'site ' }]);
  expect(field(15)?.html).toBe('<p>Bring <em>water</em>.</p>');
});

test('R30: conditional logic is read as it stands, with ids and operators of all spellings', () => {
  const { field } = read(EVERY_FIELD);
  expect(field(6)?.logic).toEqual({
    shows: true,
    needsAll: true,
    rules: [{ field: 5, input: null, operator: 'is', value: 'other' }],
  });
  expect(field(12)?.logic).toMatchObject({ needsAll: false, rules: [{}, { field: 11, operator: '>', value: '3' }] });
  const logic = { actionType: 'hide', logicType: 'any', rules: [{ fieldId: 4.3, operator: 'greater_than', value: 3 }] };
  expect(read([{ id: 2, type: 'text', conditionalLogic: logic }]).field(2)?.logic).toEqual({
    shows: false,
    needsAll: false,
    rules: [{ field: 4, input: 'input_4_3', operator: '>', value: '3' }],
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
])('R30: logic that is %j hides nothing', (conditionalLogic, warned) => {
  const { field, warnings } = read([{ id: 2, type: 'text', conditionalLogic }]);
  expect(field(2)?.logic).toBeNull();
  expect(warnings).toHaveLength(warned);
});

test('R30: a form of several pages names each, with the buttons that lead on and back', () => {
  const wire = formSchema.parse({
    ...{ id: 1, title: 'F', description: '', pagination: { type: 'steps', pages: ['You', 'Ride', null] } },
    lastPageButton: { type: 'text', text: 'Back' },
    fields: [
      { id: 1, type: 'page', nextButton: { text: 'On' }, previousButton: { text: 'unused' } },
      { id: 2, type: 'page' },
    ],
  });
  expect(formOf(wire, createRewriter([]), () => {}).steps).toEqual([
    { name: 'You', next: 'On', previous: 'unused' },
    { name: 'Ride', next: 'Next', previous: 'Previous' },
    { name: '', next: 'Next', previous: 'Back' },
  ]);
  expect(read([]).form.steps).toEqual([]);
});

test('R30: an address asked for twice, a newer kind of choice, a field that is worked out', () => {
  const { field, warnings } = read([
    { id: 1, type: 'email', isRequired: true, emailConfirmEnabled: true, inputs: [{ id: '1' }, { id: '1.2' }] },
    { id: 2, type: 'multi_choice', inputType: 'checkbox', choices: [{ text: 'A' }], inputs: [{ id: '2.1' }] },
    { id: 3, type: 'number', enableCalculation: true },
    { id: 4, type: 'text', visibility: 'hidden', isRequired: true },
  ]);
  expect(field(1)?.inputs.map(({ name }) => name)).toEqual(['input_1', 'input_1_2']);
  expect(field(2)).toMatchObject({ type: 'checkbox', inputs: [{ name: 'input_2_1' }] });
  expect(field(4)).toMatchObject({ type: 'hidden', isRequired: false });
  expect(warnings).toEqual([['content.field-unknown', { form: 1, field: 3, type: 'calculation' }]]);
});

test('R30: what a field for files takes is read as Gravity Forms writes it, and never more than the site does', () => {
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
