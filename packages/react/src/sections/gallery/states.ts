import { COMPOUND, NAME, SENTENCE, times, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

const PICTURES = ['gold', 'night-road', 'ember', 'wheel', 'hero', 'night'];

export const states: StatesOf = ({ picture }) => {
  const items = (count: number, names = PICTURES) =>
    times(count, (at) => ({
      picture: picture(names[at % names.length] as string),
      title: `Stop ${at + 1}`,
      text: at % 3 === 1 ? SENTENCE : `km ${at * 8}`,
    }));
  return {
    full: { type: 'gallery', kicker: 'Six', heading: 'Stops on <em>the road</em>', items: items(6) },
    one: { type: 'gallery', kicker: 'One', heading: 'A wide picture', items: items(1, ['night-road']) },
    two: { type: 'gallery', kicker: 'Two', heading: '', items: items(2, ['night-road', 'hero-portrait']) },
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
