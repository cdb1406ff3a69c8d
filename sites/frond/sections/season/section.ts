import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'season',
  title: 'Season',
  description: 'What to see in each part of the year.',
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline' },
    heading: { kind: 'inline', as: 'heading', label: 'Headline' },
    items: {
      kind: 'list',
      label: 'Seasons',
      add: 'Add a season',
      most: 4,
      of: {
        name: 'season-part',
        title: 'Part of the year',
        description: 'One row: months, a name and a sentence.',
        fields: {
          months: { kind: 'text', label: 'Months' },
          name: { kind: 'text', as: 'title', label: 'Name', isRequired: true },
          text: { kind: 'text', label: 'Text' },
        },
      },
    },
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    season: ValuesOf<typeof section>;
  }
}
