import { COMPOUND, SENTENCE, times, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** The acts section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide, upright }) => {
  const act = (at: number) => ({
    label: `km ${at * 8}`,
    title: `Act ${at + 1}`,
    text: SENTENCE,
    picture: wide(at % 2 ? 2 : 3),
    portrait: upright(at % 2 ? 1 : 2),
  });
  const bare = { label: '', title: '', text: '', picture: null, portrait: null };
  return {
    full: { type: 'acts', heading: 'Three acts', items: times(3, act) },
    one: { type: 'acts', heading: '', items: [act(0)] },
    twelve: { type: 'acts', heading: 'Twelve acts', items: times(12, act) },
    longest: {
      type: 'acts',
      heading: `${COMPOUND} ${UNBROKEN}`,
      items: times(2, (at) => ({
        ...act(at),
        label: UNBROKEN,
        title: `${COMPOUND} ${UNBROKEN}`,
        text: `${SENTENCE} ${UNBROKEN}`,
      })),
    },
    'only words': { type: 'acts', heading: '', items: [{ ...act(0), picture: null, portrait: null }] },
    'an act without anything': { type: 'acts', heading: '', items: [bare] },
    empty: { type: 'acts', heading: '', items: [] },
  };
};
