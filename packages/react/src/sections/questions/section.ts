import { defineSection, type ValuesOf } from '@pillion/content/sections/declaration.ts';

const section = defineSection({
  name: 'questions',
  title: 'Questions',
  description: 'Questions with answers that open on a click.',
  icon: 'editor-help',
  keywords: ['faq', 'answers', 'accordion', 'landing'],
  order: 7,
  guide:
    'Each question opens with a click. A question without an answer is left out. To link to a question, add #q- and its words to the page’s address: /#q-what-does-it-cost.',
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
            placeholder: 'The answer. An empty line starts a new paragraph.',
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
