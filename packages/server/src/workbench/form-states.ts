import { EVERY_FIELD, PAGED_FORM } from '@pillion/forms/testing/every-field.ts';
import { choice, field } from '@pillion/forms/testing/gravity-forms.ts';
import { COMPOUND, NAME, SENTENCE, times, UNBROKEN } from '@pillion/react/workbench/samples.ts';

/** How the submission of a form ends. `pending`: the server never responds. */
export type FormOutcome = 'thanked' | 'refused' | 'busy' | 'failed' | 'offline' | 'pending';

interface FormState {
  /** Members of the form in WordPress; the default is a form with one field. */
  form: object;
  /** If set, the page submits the form as soon as React handles it, and the submission ends so. */
  outcome?: FormOutcome;
}

const longChoices = times(12, (index) => choice(index ? `${NAME} ${index}` : UNBROKEN, `${index}`));

const LONGEST = [
  field(1, 'text', `${COMPOUND} ${UNBROKEN}`, { isRequired: true, description: SENTENCE, errorMessage: SENTENCE }),
  field(2, 'select', COMPOUND, { isRequired: true, choices: longChoices, errorMessage: UNBROKEN }),
  field(3, 'radio', UNBROKEN, { isRequired: true, choices: longChoices }),
  field(4, 'consent', 'Consent', { isRequired: true, checkboxLabel: `${SENTENCE} ${COMPOUND}` }),
];

const closedForm = (reason: string, message: string) => ({ pillion: { closed: { reason, message } } });

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
  sending: { form: {}, outcome: 'pending' },
  refused: { form: { fields: EVERY_FIELD }, outcome: 'refused' },
  'refused, longest': { form: { fields: LONGEST }, outcome: 'refused' },
  thanked: {
    form: { confirmations: { a: { isDefault: true, type: 'message', message: `<p>${SENTENCE}</p>` } } },
    outcome: 'thanked',
  },
  offline: { form: {}, outcome: 'offline' },
  'too many sign-ups': { form: {}, outcome: 'busy' },
  'cannot be stored': { form: {}, outcome: 'failed' },
  closed: { form: closedForm('expired', `<p><strong>The list is closed.</strong> ${SENTENCE}</p>`) },
  'closed without words': { form: closedForm('full', '') },
};
