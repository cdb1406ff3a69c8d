import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'quote',
  title: 'Large quote',
  description: 'A quote in large type, with its source.',
  icon: 'format-quote',
  keywords: ['quotation', 'voice', 'press', 'landing'],
  order: 6,
  guide: 'The site adds the quotation marks of the page’s language. Quotes of up to 90 characters are shown largest.',
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    quote: { kind: 'inline', as: 'quote', label: 'Quote', placeholder: 'Write the quote, without quotation marks' },
    source: { kind: 'text', label: 'Source', placeholder: 'Person or publication' },
    picture: { kind: 'picture', label: 'picture', help: 'Shown next to the quote, cropped to 4:5.' },
  },
  example: {
    kicker: 'A short line above',
    quote: 'A few words <em>worth</em> repeating',
    source: 'Person or publication',
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    quote: ValuesOf<typeof section>;
  }
}
