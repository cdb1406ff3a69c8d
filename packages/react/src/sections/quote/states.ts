import { COMPOUND, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** The quote section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide }) => ({
  full: {
    type: 'quote',
    kicker: 'A sign',
    quote: 'No entry<br>beyond <em>this point</em>',
    source: 'Sign at km 31',
    picture: wide(3),
  },
  'one word': { type: 'quote', kicker: '', quote: 'Slow.', source: '', picture: null },
  long: {
    type: 'quote',
    kicker: 'Long',
    quote: `${SENTENCE} ${SENTENCE}`,
    source: SENTENCE,
    picture: wide(),
  },
  longest: {
    type: 'quote',
    kicker: COMPOUND,
    quote: `${COMPOUND} <em>${UNBROKEN}</em>`,
    source: UNBROKEN,
    picture: null,
  },
  empty: { type: 'quote', kicker: 'Empty', quote: '', source: 'Nobody', picture: wide(2) },
});
