import { COMPOUND, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

export const states: StatesOf = ({ picture }) => ({
  full: {
    type: 'quote',
    kicker: 'A sign',
    quote: 'No light<br>beyond <em>this point</em>',
    source: 'Road sign, km 31',
    picture: picture('ember'),
  },
  'one word': { type: 'quote', kicker: '', quote: 'Slow.', source: '', picture: null },
  long: {
    type: 'quote',
    kicker: 'Long',
    quote: `${SENTENCE} ${SENTENCE}`,
    source: SENTENCE,
    picture: picture('hero'),
  },
  longest: {
    type: 'quote',
    kicker: COMPOUND,
    quote: `${COMPOUND} <em>${UNBROKEN}</em>`,
    source: UNBROKEN,
    picture: null,
  },
  empty: { type: 'quote', kicker: 'Empty', quote: '', source: 'Nobody', picture: picture('gold') },
});
