import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'gallery',
  title: 'Gallery',
  description: 'A row of pictures that scrolls sideways. The first one is large.',
  icon: 'format-gallery',
  keywords: ['pictures', 'photos', 'row', 'landing'],
  order: 5,
  guide:
    'Visitors scroll the row sideways. The first picture is large, and each keeps its proportions. A single picture is shown wide. Add up to 12 pictures. Items without a picture are left out.',
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    heading: { kind: 'inline', as: 'heading', label: 'Headline', placeholder: 'Write the headline' },
    items: {
      kind: 'list',
      label: 'Pictures',
      add: 'Add a picture to the row',
      begin: 3,
      most: 12,
      direction: 'across',
      of: {
        name: 'gallery-picture',
        title: 'Gallery picture',
        description: 'One picture of the row, with a title and a line of text.',
        icon: 'format-image',
        keywords: ['photo', 'slide'],
        fields: {
          picture: {
            kind: 'picture',
            label: 'picture',
            help: 'In any proportions, 1440 pixels wide or more.',
            isRequired: true,
          },
          title: { kind: 'text', label: 'Title', as: 'title' },
          text: { kind: 'text', label: 'Text', placeholder: 'A line of text' },
        },
        example: { title: 'First picture', text: 'What is seen here.' },
      },
    },
  },
  example: {
    kicker: 'A short line above',
    heading: 'Six places <em>on the way</em>',
    items: [
      { title: 'First picture', text: 'What is seen here.' },
      { title: 'Second picture', text: 'And here.' },
    ],
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    gallery: ValuesOf<typeof section>;
  }
}
