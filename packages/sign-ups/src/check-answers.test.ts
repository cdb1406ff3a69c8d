import type { Strings } from '@pillion/content/types.ts';
import type { Form } from '@pillion/forms/form.ts';
import { choice, field } from '@pillion/forms/testing.ts';
import { expect, test } from 'vitest';
import { refusalByForm } from './check-answers.ts';

test('R30: U+0000, which cannot be stored, is refused, also in the text of an “other” choice', () => {
  const own = { value: 'own', text: 'Other', name: 'input_1_other' };
  const fields = [field(1, 'radio', { choices: [choice('a')], other: own }), field(2, 'text')];
  const form = { fields, closed: null, submitLogic: null } as unknown as Form;
  const answers = { input_1: 'own', input_1_other: 'a\0', input_2: '\0b' };
  const { errors = {} } = refusalByForm(form, fields, answers, [], { form: {} } as Strings) ?? {};
  expect(Object.keys(errors)).toEqual(['input_1', 'input_2']);
});
