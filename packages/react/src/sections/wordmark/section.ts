import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'wordmark',
  title: 'Wordmark',
  description: "The brand's mark across the full width, for the end of the page.",
  icon: 'star-filled',
  keywords: ['logo', 'brand', 'landing'],
  order: 9,
  isSingle: true,
  guide: 'The brand’s logo. Edit it under Pillion → Texts.',
  fields: {},
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    wordmark: ValuesOf<typeof section>;
  }
}
