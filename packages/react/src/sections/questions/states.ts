import { COMPOUND, SENTENCE, times, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

const question = (at: number) => ({
  question: `Question ${at + 1}: where does it begin?`,
  answer: at % 2 ? 'At the water.' : `${SENTENCE}<br><br>A second <strong>paragraph</strong>,<br>in two lines.`,
});

/** The questions section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = () => ({
  full: { type: 'questions', kicker: 'Asked', heading: 'What <em>visitors</em> ask', items: times(4, question) },
  one: { type: 'questions', kicker: '', heading: '', items: times(1, question) },
  twelve: { type: 'questions', kicker: 'Twelve', heading: 'Twelve of them', items: times(12, question) },
  longest: {
    type: 'questions',
    kicker: UNBROKEN,
    heading: COMPOUND,
    items: [
      { question: `${COMPOUND} ${UNBROKEN}?`, answer: `${UNBROKEN} ${COMPOUND}` },
      { question: '', answer: 'Nobody asked.' },
      { question: 'Unanswered?', answer: '' },
    ],
  },
  empty: { type: 'questions', kicker: 'None', heading: 'Not shown', items: [] },
});
