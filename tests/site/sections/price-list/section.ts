import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'price-list',
  title: 'Price list',
  description: 'What things cost.',
  fields: {
    heading: { kind: 'inline', as: 'heading', label: 'Headline' },
    items: {
      kind: 'list',
      label: 'Prices',
      add: 'Add a price',
      most: 12,
      of: {
        name: 'price',
        title: 'Price',
        description: 'One line of the list.',
        fields: {
          name: { kind: 'text', as: 'title', label: 'Name', isRequired: true },
          amount: { kind: 'text', label: 'Amount' },
        },
      },
    },
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    'price-list': ValuesOf<typeof section>;
  }
}
