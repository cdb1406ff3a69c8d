import { COMPOUND, facts, LONG_FACTS, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

export const states: StatesOf = ({ picture }) => ({
  full: {
    type: 'feature',
    kicker: 'All of it',
    heading: 'Nothing to see <em>but this</em>',
    text: SENTENCE,
    figures: facts(3),
    picture: picture('wheel'),
    detail: picture('lamp'),
  },
  'only words': {
    type: 'feature',
    kicker: 'No pictures',
    heading: 'Words alone',
    text: SENTENCE,
    figures: facts(3),
    picture: null,
    detail: null,
  },
  'one picture': {
    type: 'feature',
    kicker: '',
    heading: 'One picture',
    text: '',
    figures: [],
    picture: picture('gold'),
    detail: null,
  },
  longest: {
    type: 'feature',
    kicker: COMPOUND,
    heading: `${COMPOUND} <em>${UNBROKEN}</em>`,
    text: UNBROKEN,
    figures: LONG_FACTS,
    picture: picture('hero'),
    detail: picture('hero'),
  },
  twelve: {
    type: 'feature',
    kicker: 'Only a detail',
    heading: 'Twelve figures',
    text: '',
    figures: facts(12),
    picture: null,
    detail: picture('lamp'),
  },
  empty: { type: 'feature', kicker: '', heading: '', text: '', figures: [], picture: null, detail: null },
});
