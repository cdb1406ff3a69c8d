import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'questions',
  title: 'Questions',
  description: 'Questions that open one by one.',
  icon: 'editor-help',
  keywords: ['faq', 'answers', 'accordion', 'landing'],
  order: 7,
  guide:
    'On the site each question opens with a click. One without an answer is left out. The address of a question is the page’s with #q- and its words: /#q-what-does-it-cost.',
  fields: {
    kicker: { kind: 'text', as: 'kicker', label: 'Short line above the headline', placeholder: 'Short line above' },
    heading: { kind: 'inline', as: 'heading', label: 'Headline', placeholder: 'Write the headline' },
    items: {
      kind: 'list',
      label: 'Questions',
      add: 'Add a question',
      begin: 3,
      most: 20,
      anchor: 'question',
      of: {
        name: 'question',
        title: 'Question',
        description: 'One question and its answer.',
        icon: 'editor-help',
        keywords: ['faq', 'answer'],
        fields: {
          question: { kind: 'text', as: 'title', label: 'Question', placeholder: 'A question', isRequired: true },
          answer: {
            kind: 'paragraphs',
            label: 'Answer',
            placeholder: 'Its answer; an empty line begins a new paragraph',
            isRequired: true,
          },
        },
        example: { question: 'How long does it take?', answer: 'About an hour.' },
      },
    },
  },
  example: {
    kicker: 'A short line above',
    heading: 'What people <em>ask</em>',
    items: [
      { question: 'How long does it take?', answer: 'About an hour.' },
      { question: 'What does it cost?', answer: 'Nothing.' },
    ],
  },
});

export default section;

declare module '@pillion/content/types.ts' {
  interface Sections {
    questions: ValuesOf<typeof section>;
  }
}
