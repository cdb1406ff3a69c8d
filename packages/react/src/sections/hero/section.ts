import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'hero',
  title: 'Hero',
  description: 'Opens the page: one headline over one picture.',
  icon: 'cover-image',
  keywords: ['headline', 'opening', 'landing'],
  order: 1,
  isSingle: true,
  guide:
    'The headline of the page. An italic word appears in the second typeface. Press Enter for a new line. Edit the line at the bottom under Pillion → Texts.',
  fields: {
    heading: { kind: 'inline', as: 'heading', label: 'Headline', placeholder: 'Write the headline' },
    picture: {
      kind: 'picture',
      label: 'picture',
      help: 'Fills the screen. 1920 × 1200 pixels or more.',
      place: 'behind',
    },
    /** If it is empty, `picture` is shown in both orientations. */
    portrait: {
      kind: 'picture',
      label: 'upright picture',
      help: 'For phones held upright, 860 × 1860 pixels. If empty, the wide picture is cropped.',
      place: 'behind',
      cropOf: 'picture',
    },
    film: {
      kind: 'film',
      label: 'film',
      help: 'MP4 or WebM, played without sound and in a loop. The picture is shown before it, and to visitors who want less motion or less data.',
      poster: 'picture',
    },
  },
  example: { heading: 'One headline, one <em>turned word</em>' },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    hero: ValuesOf<typeof section>;
  }
}
