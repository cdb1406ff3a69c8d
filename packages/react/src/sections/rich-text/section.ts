import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'rich-text',
  title: 'Text',
  description: 'Ordinary WordPress blocks between the sections.',
  isOfWordPress: true,
  fields: { html: { kind: 'html', label: 'Text', isRequired: true } },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    'rich-text': ValuesOf<typeof section>;
  }
}
