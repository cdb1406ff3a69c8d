import { COMPOUND, facts, LONG_FACTS, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** The feature section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide, upright }) => ({
  full: {
    type: 'feature',
    kicker: 'All of it',
    heading: 'Nothing to see <em>but this</em>',
    text: SENTENCE,
    figures: facts(3),
    picture: upright(4),
    detail: upright(5),
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
    picture: wide(2),
    detail: null,
  },
  longest: {
    type: 'feature',
    kicker: COMPOUND,
    heading: `${COMPOUND} <em>${UNBROKEN}</em>`,
    text: UNBROKEN,
    figures: LONG_FACTS,
    picture: wide(),
    detail: wide(),
  },
  twelve: {
    type: 'feature',
    kicker: 'Only a detail',
    heading: 'Twelve figures',
    text: '',
    figures: facts(12),
    picture: null,
    detail: upright(5),
  },
  empty: { type: 'feature', kicker: '', heading: '', text: '', figures: [], picture: null, detail: null },
});
