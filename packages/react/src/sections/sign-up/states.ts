import { COMPOUND, NAME, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** The sign-up section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide, upright }) => ({
  full: {
    type: 'sign-up',
    kicker: 'The list',
    heading: 'Join <em>the list</em>',
    text: SENTENCE,
    form_id: 0,
    picture: wide(5),
    portrait: upright(6),
  },
  empty: { type: 'sign-up', kicker: '', heading: '', text: '', picture: null, portrait: null, form_id: 0 },
  longest: {
    type: 'sign-up',
    kicker: COMPOUND,
    heading: `${NAME} <em>${UNBROKEN}</em>`,
    text: UNBROKEN,
    form_id: 0,
    picture: wide(5),
    portrait: null,
  },
});
