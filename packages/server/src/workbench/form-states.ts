import { EVERY_FIELD, PAGED_FORM } from '@pillion/forms/testing/every-field.ts';
import { choice, field } from '@pillion/forms/testing/gravity-forms.ts';
import { COMPOUND, NAME, SENTENCE, times, UNBROKEN } from '@pillion/react/workbench/samples.ts';

/** Response to a form in this state. `pending`: the server never responds. */
export type FormAnswer = 'thanked' | 'refused' | 'busy' | 'failed' | 'offline' | 'pending';

interface FormState {
  /** Members of the form in WordPress; the default is a form with one field. */
  form: object;
  /** The page sends the form when React runs it, and gets this response. */
  answer?: FormAnswer;
}

const longChoices = times(12, (at) => choice(at ? `${NAME} ${at}` : UNBROKEN, `${at}`));

const LONGEST = [
  field(1, 'text', `${COMPOUND} ${UNBROKEN}`, { isRequired: true, description: SENTENCE, errorMessage: SENTENCE }),
  field(2, 'select', COMPOUND, { isRequired: true, choices: longChoices, errorMessage: UNBROKEN }),
  field(3, 'radio', UNBROKEN, { isRequired: true, choices: longChoices }),
  field(4, 'consent', 'Consent', { isRequired: true, checkboxLabel: `${SENTENCE} ${COMPOUND}` }),
];

const closed = (reason: string, message: string) => ({ pillion: { closed: { reason, message } } });

/** Every state of a form, by its name in the address. */
export const FORM_STATES: Record<string, FormState> = {
  'one field': { form: {} },
  'every kind of field': { form: { fields: EVERY_FIELD } },
  files: {
    form: { fields: [field(1, 'fileupload', 'Pictures of the place', { isRequired: true, multipleFiles: true })] },
  },
  'several pages': { form: PAGED_FORM },
  longest: { form: { fields: LONGEST, description: SENTENCE, button: { type: 'text', text: COMPOUND } } },
  'without a field': { form: { fields: [] } },
  sending: { form: {}, answer: 'pending' },
  refused: { form: { fields: EVERY_FIELD }, answer: 'refused' },
  'refused, longest': { form: { fields: LONGEST }, answer: 'refused' },
  thanked: {
    form: { confirmations: { a: { isDefault: true, type: 'message', message: `<p>${SENTENCE}</p>` } } },
    answer: 'thanked',
  },
  offline: { form: {}, answer: 'offline' },
  'too many sign-ups': { form: {}, answer: 'busy' },
  'cannot be stored': { form: {}, answer: 'failed' },
  closed: { form: closed('expired', `<p><strong>The list is closed.</strong> ${SENTENCE}</p>`) },
  'closed without words': { form: closed('full', '') },
};
