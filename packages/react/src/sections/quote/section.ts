import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'quote',
  title: 'Large quote',
  description: 'Somebody’s words, set large, and whose they are.',
  icon: 'format-quote',
  keywords: ['quotation', 'voice', 'press', 'landing'],
  order: 6,
  guide: 'The site puts the quotation marks of the page’s language around it. Up to about 90 characters stand largest.',
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    quote: { kind: 'inline', as: 'quote', label: 'Quote', placeholder: 'Write what is said, without marks' },
    source: { kind: 'text', label: 'Source', placeholder: 'Who or what says so' },
    picture: { kind: 'picture', label: 'picture', help: 'Beside the words, 4 to 5; what sticks out is cut.' },
  },
  example: {
    kicker: 'A short line above',
    quote: 'A few words <em>worth</em> repeating',
    source: 'Who or what says so',
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    quote: ValuesOf<typeof section>;
  }
}
