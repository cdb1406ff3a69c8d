import { COMPOUND, NAME, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** Only the first of a page is the hero. */
export const isSingle = true;

export const states: StatesOf = ({ picture }) => ({
  full: {
    type: 'hero',
    heading: 'Ride the <em>last light</em>',
    picture: picture('hero'),
    portrait: picture('hero-portrait'),
  },
  empty: { type: 'hero', heading: '', picture: null, portrait: null },
  'without a picture': { type: 'hero', heading: 'Only <em>words</em>', picture: null, portrait: null },
  'without a portrait': { type: 'hero', heading: 'Ride on', picture: picture('hero'), portrait: null },
  longest: {
    type: 'hero',
    heading: `${COMPOUND} <em>${NAME}</em> ${UNBROKEN}`,
    picture: picture('hero'),
    portrait: picture('hero-portrait'),
  },
});
