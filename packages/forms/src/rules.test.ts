import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answers, FieldFormat, FieldKind, Form, FormField } from './form.ts';
import { parseNumber } from './numbers.ts';
import { problemWith, readAnswers } from './rules.ts';
import { choice, field, input } from './testing.ts';
import type { FormTexts } from './texts.ts';

/** Each text equals its key, so that a test can tell which one was used. */
const TEXTS = {
  ...{ required: 'required', email: 'email', confirm: 'confirm', website: 'website', phone: 'phone' },
  ...{ number: 'number', least: 'least {min}', most: 'most {max}', date: 'date', choice: 'choice', long: 'long {max}' },
  ...{ time: 'time', choices_exactly: 'exactly {min}', choices_least: 'at least {min}', choices_most: 'at most {max}' },
} as FormTexts;

const problemOf = (tested: FormField, answer: string | string[], more: Answers = {}) =>
  problemWith(tested, { [tested.inputs[0]?.name ?? '']: answer, ...more }, TEXTS);

const choices = [choice('s'), choice('m')];
/** The choice with the visitor's own text. */
const OTHER = { value: 'own-text', text: 'Other' };

const currency = { before: '', after: '', thousands: ',', decimal: '.', decimals: 2 };
const EUR = { format: 'currency' as const, currency: { ...currency, after: '€', thousands: '.', decimal: ',' } };
const USD = { format: 'currency' as const, currency: { ...currency, before: '$' } };

describe('an answer', () => {
  test.each<[FieldKind, Partial<FormField>, string | string[], string | null]>([
    ['email', {}, 'ada@example.org', null],
    ['email', {}, ' ada@example.org ', null],
    ['email', {}, 'ada@example', 'email'],
    ['website', {}, 'https://example.org/a?b=c#d', null],
    ['website', {}, 'http://münchen.example', null],
    ['website', {}, 'example.org', 'website'],
    ['website', {}, 'javascript:alert(1)', 'website'],
    ['website', {}, 'https://a b.org', 'website'],
    ['phone', {}, '+44 20 7946 0000 ext 4', null],
    ['phone', {}, 'call me', 'phone'],
    ['phone', { format: 'north-american' }, '(555) 010-0199', null],
    ['phone', { format: 'north-american' }, '+44 20 7946 0000', 'phone'],
    ['number', {}, '-12.5', null],
    ['number', {}, '1e5', 'number'],
    ['number', {}, 'seven', 'number'],
    ['number', { min: 1, max: 9 }, '0', 'least 1'],
    ['number', { min: 1, max: 9 }, '9.5', 'most 9'],
    ['number', { min: 1, max: 9 }, '9', null],
    ['number', { min: 1, max: 9 }, '1', null],
    ['number', { min: 0 }, '-1', 'least 0'],
    ['number', { format: 'decimal-comma', max: 2 }, '1,5', null],
    ['number', { format: 'decimal-comma', max: 2 }, '1.500,5', 'most 2'],
    ['number', { format: 'decimal-comma' }, '1.5', 'number'],
    ['number', EUR, '12,5', null],
    ['number', EUR, '1.234,50 €', null],
    ['number', EUR, '12.5', 'number'],
    ['number', { ...EUR, max: 1000 }, '1.234,50 €', 'most 1000'],
    ['number', USD, '$1,234.50', null],
    ['number', USD, '$ 12', null],
    ['number', USD, '12,5', 'number'],
    ['number', USD, '12 €', 'number'],
    ['time', {}, '23:59', null],
    ['time', {}, '24:00', null],
    ['time', {}, '25:00', 'time'],
    ['time', {}, '12:60', 'time'],
    ['time', { format: '12-hours' }, '11:30 pm', null],
    ['time', { format: '12-hours' }, '13:30 pm', 'time'],
    ['time', { format: '12-hours' }, '0:30 am', 'time'],
    ['radio', { choices, other: { ...OTHER, name: 'input_1_other' } }, 'own-text', null],
    ['radio', { choices, other: { ...OTHER, name: 'input_1_other' } }, 'xl', 'choice'],
    ['radio', { choices }, 'own-text', 'choice'],
    ['date', {}, '2028-02-29', null],
    ['date', {}, '2027-02-29', 'date'],
    ['date', {}, '2026-02-366', 'date'],
    ['date', {}, '0999-12-31', 'date'],
    ['date', {}, '12/31/2026', null],
    ['date', {}, '31/12/2026', 'date'],
    ['date', { format: 'day-first' }, '31/12/2026', null],
    ['date', { format: 'day-first' }, '31.12.2026', null],
    ['date', {}, '12/31/26', 'date'],
    ['date', {}, 'tomorrow', 'date'],
    ['select', { choices }, 's', null],
    ['select', { choices }, 'xl', 'choice'],
    ['radio', { choices }, 'S', 'choice'],
    ['multiselect', { choices }, ['s', 'm'], null],
    ['multiselect', { choices }, ['s', 'xl'], 'choice'],
    ['text', { maxLength: 3 }, 'abcd', 'long 3'],
    ['text', { maxLength: 3 }, 'abc', null],
    ['textarea', {}, 'a'.repeat(10_001), 'long 10000'],
    ['text', { isRequired: true }, '  ', 'required'],
    ['email', {}, '', null],
    ['number', { min: 1, isRequired: true, errorMessage: 'How many?' }, '', 'How many?'],
    ['number', { min: 1, errorMessage: 'How many?' }, '0', 'How many?'],
  ])('%s %j: the error for "%s" is %s', (type, more, answer, problem) =>
    expect(problemOf(field(1, type, more), answer)).toBe(problem),
  );

  test('a required name needs its first and last name', () => {
    const parts = [
      input('input_4_2'),
      input('input_4_3', { isRequired: true }),
      input('input_4_6', { isRequired: true }),
    ];
    const name = field(4, 'name', { isRequired: true, inputs: parts });
    expect(problemWith(name, { input_4_3: 'Ada' }, TEXTS)).toBe('required');
    expect(problemWith(name, { input_4_3: 'Ada', input_4_6: 'Q' }, TEXTS)).toBeNull();
    expect(problemWith({ ...name, isRequired: false }, { input_4_3: 'Ada' }, TEXTS)).toBeNull();
  });

  test('the title of a name must be one of its choices', () => {
    const name = field(4, 'name', { inputs: [input('input_4_2', { choices: [choice('Dr.')] }), input('input_4_3')] });
    expect(problemWith(name, { input_4_2: 'King', input_4_3: 'Ada' }, TEXTS)).toBe('choice');
    expect(problemWith(name, { input_4_2: 'Dr.', input_4_3: 'Ada' }, TEXTS)).toBeNull();
  });

  test('a repeated email address must be the same', () => {
    const email = field(2, 'email', { inputs: [input('input_2'), input('input_2_2')] });
    expect(problemOf(email, 'a@example.org', { input_2_2: 'b@example.org' })).toBe('confirm');
    expect(problemOf(email, 'a@example.org')).toBe('confirm');
    expect(problemOf(email, 'a@example.org', { input_2_2: 'a@example.org' })).toBeNull();
  });

  test('each box accepts only its own value', () => {
    const boxes = field(5, 'checkbox', { choices, inputs: [input('input_5_1'), input('input_5_2')], isRequired: true });
    expect(problemWith(boxes, {}, TEXTS)).toBe('required');
    expect(problemWith(boxes, { input_5_2: 'm' }, TEXTS)).toBeNull();
    expect(problemWith(boxes, { input_5_2: 's' }, TEXTS)).toBe('choice');
  });

  test('every date in a browser’s format is valid, and every integer is parsed exactly', () => {
    const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.constantFrom<FieldFormat>('', 'day-first'), (date, format) => {
        expect(problemOf(field(1, 'date', { format }), date.toISOString().slice(0, 10))).toBeNull();
      }),
    );
    fc.assert(fc.property(fc.integer(), (number) => void expect(parseNumber(`${number}`)).toBe(number)));
    fc.assert(fc.property(fc.string(), (text) => void expect(Number.isNaN(parseNumber(text) ?? 0)).toBe(false)));
  });

  test('no text makes a rule throw or take more than 0.2 s', () => {
    const types = fc.constantFrom('email', 'website', 'phone', 'number', 'date', 'select', 'text');
    fc.assert(
      fc.property(
        types,
        fc.string({ maxLength: 9_999, unit: fc.constantFrom('a', '.', '-', '1', ',', '@', ' ') }),
        (type, text) => {
          const before = process.threadCpuUsage();
          problemOf(field(1, type), text);
          // Processor time in microseconds, independent of other processes.
          expect(process.threadCpuUsage(before).user).toBeLessThan(200_000);
        },
      ),
    );
  });
});

test('only the form’s controls are read, as lists if several choices are possible', () => {
  const fields = [field(1, 'textarea'), field(2, 'text'), field(3, 'text'), field(6, 'multiselect', { choices })];
  const form = { fields } as Form;
  const sent = new FormData();
  for (const [name, value] of [
    ['input_1', 'a\r\nb\rc'],
    ['input_2', new File(['text'], 'no-text.txt')],
    ['input_6', 's'],
    ['input_6[]', 'm'],
    ['input_9', 'not in the form'],
    ['__proto__', 'x'],
  ] as const)
    sent.append(name, value);
  expect(readAnswers(form, sent)).toEqual({ input_1: 'a\nb\nc', input_6: ['s', 'm'] });
});

describe('choices of several', () => {
  const inputs = ['a', 'b', 'c'].map((_, at) => input(`input_1_${at + 1}`));
  const box = (choiceLimit: FormField['choiceLimit'], isRequired = false) =>
    field(1, 'checkbox', {
      inputs,
      choices: ['a', 'b', 'c'].map(choice),
      isRequired,
      ...(choiceLimit && { choiceLimit }),
    });
  const tick = (count: number): Answers =>
    Object.fromEntries(['a', 'b', 'c'].slice(0, count).map((value, at) => [`input_1_${at + 1}`, value]));

  test.each<[FormField['choiceLimit'], (string | null)[]]>([
    [{ min: 2, max: 2 }, [null, 'exactly 2', null, 'exactly 2']],
    [{ min: 2, max: null }, [null, 'at least 2', null, null]],
    [{ min: null, max: 2 }, [null, null, null, 'at most 2']],
    [{ min: 1, max: 2 }, [null, null, null, 'at most 2']],
    [undefined, [null, null, null, null]],
  ])('R30: with limits %j an empty answer is valid, and others are counted as in Gravity Forms', (limit, expected) => {
    expect([0, 1, 2, 3].map((count) => problemWith(box(limit), tick(count), TEXTS))).toEqual(expected);
    expect(problemWith(box(limit, true), tick(0), TEXTS)).toBe('required');
  });
});

describe('answers of several controls', () => {
  const read = (fields: FormField[], sent: [string, string][]) => {
    const data = new FormData();
    for (const [name, value] of sent) data.append(name, value);
    return readAnswers({ fields } as Form, data);
  };

  test('R30: rows of a list keep their order and empty cells; empty rows are dropped', () => {
    const list = field(5, 'list', { columns: ['Reader', 'Bike'] });
    const cells = ['Ada', '', ' ', '', 'Bo', 'R 80'].map((cell): [string, string] => ['input_5[]', cell]);
    expect(read([list], cells)).toEqual({ input_5: ['Ada', '', 'Bo', 'R 80'] });
    expect(read([field(5, 'list')], cells)).toEqual({ input_5: ['Ada', 'Bo', 'R 80'] });
    expect(problemWith({ ...list, isRequired: true }, { input_5: [] }, TEXTS)).toBe('required');
  });

  test('R30: hour, minute and am or pm are joined to one time; without an hour the answer is empty', () => {
    const time = field(7, 'time', { format: '12-hours' });
    const parts = (...of: string[]) => of.map((part): [string, string] => ['input_7[]', part]);
    expect(read([time], parts(' 9', '5 ', 'pm'))).toEqual({ input_7: '9:05 pm' });
    expect(read([time], parts('', '', 'am'))).toEqual({ input_7: '' });
    expect(read([time], parts('9:05 pm'))).toEqual({ input_7: '9:05 pm' });
  });

  test('R30: own text is ignored if its choice is not selected', () => {
    const radio = field(2, 'radio', { choices, other: { ...OTHER, name: 'input_2_other' } });
    const words: [string, string] = ['input_2_other', 'Paper'];
    expect(read([radio], [['input_2', 's'], words])).toEqual({ input_2: 's' });
    const own = read([radio], [['input_2', 'own-text'], words]);
    expect(own).toEqual({ input_2: 'own-text', input_2_other: 'Paper' });
    const asked = { ...radio, isRequired: true };
    expect(problemWith(asked, own, TEXTS)).toBeNull();
    expect(problemWith(asked, { ...own, input_2_other: ' other ' }, TEXTS)).toBe('required');
    expect(problemWith(asked, { input_2: 'own-text' }, TEXTS)).toBe('required');
  });
});
