import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';
import type { Form } from '@pillion/forms/form.ts';

const section = defineSection({
  name: 'sign-up',
  title: 'Sign-up',
  description: 'The sign-up form next to a headline. The join button leads here.',
  icon: 'email',
  keywords: ['form', 'join', 'newsletter', 'landing'],
  order: 8,
  isSingle: true,
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    heading: { kind: 'inline', as: 'heading', label: 'Headline', placeholder: 'Write the headline' },
    text: { kind: 'text', label: 'Text above the form', placeholder: 'Say what happens after signing up' },
    form_id: {
      kind: 'form',
      label: 'Form to show',
      help: 'Edit the fields in the form itself. The site’s default form is set under Pillion → Texts.',
    },
    picture: {
      kind: 'picture',
      label: 'picture',
      help: 'Shown behind the section if the scene is not shown.',
      place: 'behind',
    },
    portrait: {
      kind: 'picture',
      label: 'upright picture',
      help: 'For phones held upright.',
      place: 'behind',
      cropOf: 'picture',
    },
  },
  example: { kicker: 'A short line above', heading: 'Join <em>us</em>', text: 'What happens after signing up.' },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    'sign-up': Omit<ValuesOf<typeof section>, 'form_id'> & {
      /** The section’s form, or that of `strings.form.form_id`; `null` if its definition is unavailable. */
      form: Form | null;
    };
  }
}
