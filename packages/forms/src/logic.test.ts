import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answers, FormField, LogicOperator } from './form.ts';
import { hiddenFields, isOffered } from './logic.ts';
import { field, input, shownIf } from './testing.ts';

const source = field(1, 'text');
const isShown = (operator: LogicOperator, value: string, answer: string | string[]) =>
  !hiddenFields([source, field(2, 'text', { logic: shownIf(1, operator, value) })], { input_1: answer }).has(2);

describe('conditional logic', () => {
  test.each<[LogicOperator, string, string | string[], boolean]>([
    ['equals', 'Other', 'other', true],
    ['equals', 'Other', 'press', false],
    ['equals', '', '', true],
    ['differs', 'press', 'other', true],
    ['differs', 'press', 'PRESS', false],
    ['differs', 'press', '', true],
    ['above', '5', '10', true],
    ['above', '10', '5', false],
    ['above', '5', '5', false],
    ['above', '5', '', false],
    ['above', '5', 'ten', false],
    ['below', '5', '-1.5', true],
    ['below', '1,000', '999', true],
    ['below', '5', '5', false],
    ['below', '5', '', false],
    ['contains', 'tour', 'The Tour North', true],
    ['contains', '', 'x', false],
    ['starts', 'the', 'The tour', true],
    ['starts', 'tour', 'The tour', false],
    ['starts', '', 'x', false],
    ['ends', 'TOUR', 'The tour', true],
    ['ends', '', 'x', false],
    ['equals', 'b', ['a', 'b'], true],
    ['differs', 'b', ['a', 'b'], false],
    ['differs', 'c', ['a', 'b'], true],
  ])('%s "%s": with the answer %j the field is shown: %s', (operator, value, answer, shown) =>
    expect(isShown(operator, value, answer)).toBe(shown),
  );

  const currency = { before: '$', after: '', thousands: ',', decimal: '.', decimals: 2 };
  test.each<[Partial<FormField>, LogicOperator, string, string, boolean]>([
    [{ format: 'decimal-comma' }, 'above', '1', '1,5', true],
    [{ format: 'decimal-comma' }, 'below', '2', '1.500', false],
    [{ format: 'decimal-comma' }, 'equals', '1500.5', '1.500,5', true],
    [{ format: 'decimal-comma' }, 'equals', '1,5', '1,50', true],
    [{ format: 'decimal-comma' }, 'equals', 'many', 'Many', true],
    [{ format: 'currency', currency }, 'above', '1000', '$1,234.50', true],
  ])(
    'a number in the format %j, %s "%s": with the answer "%s" the field is shown: %s',
    (format, operator, value, answer, shown) => {
      const fields = [field(1, 'number', format), field(2, 'text', { logic: shownIf(1, operator, value) })];
      expect(hiddenFields(fields, { input_1: answer }).has(2)).toBe(!shown);
    },
  );

  const rules = [
    { field: 1, input: null, operator: 'equals' as const, value: 'a' },
    { field: 3, input: null, operator: 'equals' as const, value: 'b' },
  ];
  test.each([
    [true, true, ['a', 'b'], true],
    [true, true, ['a', 'x'], false],
    [true, false, ['a', 'x'], true],
    [true, false, ['x', 'x'], false],
    [false, true, ['a', 'b'], false],
    [false, true, ['a', 'x'], true],
    [false, false, ['x', 'b'], false],
  ])('shows: %s, needs all: %s: with the answers %j the field is shown: %s', (shows, needsAll, [one, three], shown) => {
    const fields = [source, field(3, 'text'), field(2, 'text', { logic: { shows, needsAll, rules } })];
    expect(!hiddenFields(fields, { input_1: one ?? '', input_3: three ?? '' }).has(2)).toBe(shown);
  });

  test('a hidden section or page hides its fields and no others', () => {
    const fields = [
      source,
      field(2, 'section', { logic: shownIf(1, 'equals', 'yes') }),
      field(3, 'text'),
      field(4, 'section'),
      field(5, 'text'),
      field(6, 'page', { logic: shownIf(1, 'equals', 'yes') }),
      field(7, 'section'),
      field(8, 'text'),
      field(9, 'page'),
      field(10, 'text'),
    ];
    expect([...hiddenFields(fields, { input_1: 'no' })]).toEqual([2, 3, 6, 7, 8]);
    expect([...hiddenFields(fields, { input_1: 'yes' })]).toEqual([]);
  });

  test('rules ignore the answers of hidden fields', () => {
    const fields = [
      source,
      field(2, 'text', { logic: shownIf(1, 'equals', 'yes') }),
      field(3, 'text', { logic: shownIf(2, 'equals', 'more') }),
    ];
    const answers = { input_1: 'no', input_2: 'more' };
    expect([...hiddenFields(fields, answers)]).toEqual([2, 3]);
    expect([...hiddenFields(fields, { ...answers, input_1: 'yes' })]).toEqual([]);
  });

  test('fields that depend on each other are shown', () => {
    const fields = [
      field(2, 'text', { logic: shownIf(3, 'equals', 'a') }),
      field(3, 'text', { logic: shownIf(2, 'equals', 'b') }),
    ];
    expect([...hiddenFields(fields, { input_2: 'b', input_3: 'a' })]).toEqual([]);
  });

  test('a rule can read one part of a name, or any box of several', () => {
    const name = field(4, 'name', { inputs: [input('input_4_3'), input('input_4_6')] });
    const byPart = { shows: true, needsAll: true, rules: [{ ...rules[0], field: 4, input: 'input_4_6', value: 'Q' }] };
    const fields = [name, field(2, 'text', { logic: byPart as FormField['logic'] })];
    expect(hiddenFields(fields, { input_4_3: 'Q' }).has(2)).toBe(true);
    expect(hiddenFields(fields, { input_4_6: 'Q' }).has(2)).toBe(false);
    const boxes = [name, field(2, 'text', { logic: shownIf(4, 'equals', 'q') })];
    expect(hiddenFields(boxes, { input_4_3: 'x', input_4_6: 'Q' }).has(2)).toBe(false);
  });

  test('any references between fields terminate, and a field without rules is shown', () => {
    const operators = 'equals differs above below contains starts ends'.split(' ') as LogicOperator[];
    const operator = fc.constantFrom(...operators);
    const rule = fc.record({
      field: fc.nat(9),
      input: fc.constant(null),
      operator,
      value: fc.string({ maxLength: 2 }),
    });
    const logic = fc.option(
      fc.record({ shows: fc.boolean(), needsAll: fc.boolean(), rules: fc.array(rule, { minLength: 1, maxLength: 3 }) }),
    );
    const fields = fc.array(logic, { minLength: 10, maxLength: 10 });
    const given = fc.dictionary(
      fc.nat(9).map((id) => `input_${id}`),
      fc.string({ maxLength: 2 }),
    );
    fc.assert(
      fc.property(fields, given, (all, answers) => {
        const form = all.map((logic, id) => field(id, 'text', { logic }));
        const hidden = hiddenFields(form, answers as Answers);
        for (const { id, logic } of form) if (!logic) expect(hidden.has(id)).toBe(false);
        // Answers of hidden fields have no effect: without them the same fields are hidden.
        const kept = Object.entries(answers).filter(([name]) => !hidden.has(Number(name.slice(6))));
        if (!hasCycle(form)) expect(hiddenFields(form, Object.fromEntries(kept))).toEqual(hidden);
      }),
    );
  });
});

/** In a cycle the result depends on the order of evaluation. */
function hasCycle(form: FormField[]): boolean {
  const reaches = (from: number, to: number, seen: Set<number>): boolean =>
    (form[from]?.logic?.rules ?? []).some(
      ({ field: next }) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  return form.some(({ id }) => reaches(id, id, new Set()));
}

test('R30: a button with conditions is available if they hold; answers of hidden fields are ignored', () => {
  const fields = [field(1, 'text'), field(2, 'text', { logic: shownIf(1, 'equals', 'yes') })];
  const logic = shownIf(2, 'equals', 'go');
  expect(isOffered(null, fields, {})).toBe(true);
  expect(isOffered(logic, fields, { input_1: 'yes', input_2: 'go' })).toBe(true);
  expect(isOffered(logic, fields, { input_1: 'no', input_2: 'go' })).toBe(false);
});
