import { COMPOUND, NAME, SENTENCE, times, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** The gallery section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide, upright }) => {
  const pictures = [wide(2), wide(5), wide(3), upright(4), wide(), wide(4)];
  const items = (count: number, shown = pictures) =>
    times(count, (at) => ({
      picture: shown[at % shown.length],
      title: `Stop ${at + 1}`,
      text: at % 3 === 1 ? SENTENCE : `km ${at * 8}`,
    }));
  return {
    full: { type: 'gallery', kicker: 'Six', heading: 'Stops on <em>the way</em>', items: items(6) },
    one: { type: 'gallery', kicker: 'One', heading: 'A wide picture', items: items(1, [wide(5)]) },
    two: { type: 'gallery', kicker: 'Two', heading: '', items: items(2, [wide(5), upright()]) },
    twelve: {
      type: 'gallery',
      kicker: '',
      heading: 'Twelve, and one left out',
      items: [{ title: 'x' }, ...items(11)],
    },
    longest: {
      type: 'gallery',
      kicker: COMPOUND,
      heading: `${COMPOUND} ${UNBROKEN}`,
      items: items(3).map((item, at) => ({ ...item, title: at ? UNBROKEN : COMPOUND, text: at ? NAME : UNBROKEN })),
    },
    'only pictures': {
      type: 'gallery',
      kicker: '',
      heading: '',
      items: items(2).map((item) => ({ ...item, title: '', text: '' })),
    },
    'only one picture': { type: 'gallery', kicker: '', heading: '', items: [{ ...items(1)[0], title: '', text: '' }] },
    empty: { type: 'gallery', kicker: 'None', heading: 'Not shown', items: [] },
  };
};
