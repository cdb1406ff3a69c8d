import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'acts',
  title: 'Acts',
  description: 'A row of pictures, each with a title, a label and a line of text.',
  icon: 'columns',
  keywords: ['cards', 'gallery', 'steps', 'landing'],
  order: 3,
  guide: 'A row of pictures. Three look best. To move one, select it and use the arrows in its toolbar.',
  fields: {
    /** For assistive technology and the document outline. It is not visible. */
    heading: {
      kind: 'inline',
      as: 'heading',
      label: 'Headline',
      placeholder: 'Headline for screen readers, not shown',
    },
    items: {
      kind: 'list',
      label: 'Acts',
      add: 'Add an act',
      begin: 3,
      direction: 'across',
      of: {
        name: 'act',
        title: 'Act',
        description: 'One picture of the row, with title, label and text.',
        icon: 'format-image',
        keywords: ['card', 'step'],
        fields: {
          label: { kind: 'text', label: 'Label' },
          title: { kind: 'text', as: 'title', label: 'Title' },
          text: { kind: 'text', label: 'Text', placeholder: 'A line of text' },
          picture: {
            kind: 'picture',
            label: 'picture',
            hint: 'Wide, 1920 × 1200 pixels or more.',
            help: 'Wide, 1920 × 1200 pixels or more. It is cropped to fit.',
          },
          portrait: {
            kind: 'picture',
            label: 'upright picture',
            help: 'For phones held upright, 860 × 1860 pixels. If empty, the wide picture is cropped.',
            cropOf: 'picture',
          },
        },
        example: { label: '1', title: 'First act', text: 'What begins here.' },
      },
    },
  },
  example: {
    items: [
      { label: '1', title: 'First act', text: 'What begins here.' },
      { label: '2', title: 'Second act', text: 'What follows.' },
    ],
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    acts: ValuesOf<typeof section>;
  }
}
