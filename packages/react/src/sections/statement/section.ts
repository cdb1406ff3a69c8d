import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'statement',
  title: 'Statement',
  description: 'A few sentences set large, with facts below and a picture behind.',
  icon: 'editor-quote',
  keywords: ['quote', 'facts', 'landing'],
  order: 2,
  guide:
    'An italic word appears in the second typeface. The button with the half circle sets words in a quieter colour.',
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    heading: { kind: 'inline', as: 'heading', label: 'Headline', placeholder: 'Write a few sentences, set large' },
    facts: {
      kind: 'rows',
      label: 'Facts',
      direction: 'across',
      begin: 2,
      names: {
        add: 'Add a fact',
        label: 'What',
        value: 'How much, where, when',
        before: 'Move fact left',
        after: 'Move fact right',
        remove: 'Remove fact',
      },
    },
    picture: { kind: 'picture', label: 'picture', help: 'Shown behind the text, on the right.', place: 'behind' },
    /** In the picture's box. The length of each line counts as 1, and its colour is `currentColor`. */
    drawing: {
      kind: 'drawing',
      label: 'Line drawing over the picture (SVG)',
      help: 'Paste SVG markup with the proportions of the picture. Its lines are drawn in the accent colour while visitors scroll. Only shapes are used.',
    },
  },
  example: {
    kicker: 'A short line above',
    heading: 'Two or three sentences, set large, with a <em>turned</em> word. <mark>The last one is quieter.</mark>',
    facts: [
      { label: 'Length', value: '48 km' },
      { label: 'Opening time', value: '9:00' },
    ],
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    statement: ValuesOf<typeof section>;
  }
}
