import { COMPOUND, NAME, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** Only the first one on a page is the hero. */
export const hasSeparatePages = true;

/** The hero section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide, upright }) => ({
  full: {
    type: 'hero',
    heading: 'Begin with <em>one line</em>',
    picture: wide(),
    portrait: upright(),
  },
  empty: { type: 'hero', heading: '', picture: null, portrait: null },
  'without a picture': { type: 'hero', heading: 'Only <em>words</em>', picture: null, portrait: null },
  'without a portrait': { type: 'hero', heading: 'Go on', picture: wide(), portrait: null },
  longest: {
    type: 'hero',
    heading: `${COMPOUND} <em>${NAME}</em> ${UNBROKEN}`,
    picture: wide(),
    portrait: upright(),
  },
});
