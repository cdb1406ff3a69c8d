import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'feature',
  title: 'Feature',
  description: 'One thing in detail: picture, text, figures and a close-up.',
  icon: 'align-pull-left',
  keywords: ['product', 'figures', 'numbers', 'landing'],
  order: 4,
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    heading: { kind: 'inline', as: 'heading', label: 'Headline', placeholder: 'Write the headline' },
    text: { kind: 'text', label: 'Text', placeholder: 'A sentence or two' },
    figures: {
      kind: 'rows',
      label: 'Figures',
      begin: 2,
      names: {
        add: 'Add a figure',
        label: 'What is measured',
        value: 'Figure and unit',
        before: 'Move figure up',
        after: 'Move figure down',
        remove: 'Remove figure',
      },
    },
    picture: { kind: 'picture', label: 'picture', help: 'The large picture.' },
    detail: {
      kind: 'picture',
      label: 'detail',
      hint: 'A small close-up.',
      help: 'A small picture below the figures.',
      place: 'among',
    },
  },
  example: {
    kicker: 'A short line above',
    heading: 'One thing, <em>shown closely</em>',
    text: 'A sentence or two about it.',
    figures: [
      { label: 'Weight', value: '12 kg' },
      { label: 'Reach', value: '210 km' },
    ],
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    feature: ValuesOf<typeof section>;
  }
}
