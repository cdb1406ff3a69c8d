import { COMPOUND, facts, LONG_FACTS, NAME, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

const LINES =
  '<svg viewBox="0 0 16 10"><path d="M2 9C5 7 3 5 7 5s5-3 7-4" fill="none" stroke="#fff" stroke-width=".08"/><circle cx="14" cy="1" r=".15"/></svg>';

/** The statement section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = ({ wide }) => ({
  full: {
    type: 'statement',
    kicker: 'With a drawing',
    heading: `${SENTENCE} <mark>It <em>waits</em>.</mark>`,
    facts: facts(3),
    picture: wide(1),
    drawing: LINES,
  },
  'only a heading': { type: 'statement', kicker: '', heading: 'Only a heading', facts: [], picture: null },
  'one fact': { type: 'statement', kicker: 'No heading', heading: '', facts: facts(1), picture: wide(1) },
  longest: {
    type: 'statement',
    kicker: UNBROKEN,
    heading: `${COMPOUND} <em>${NAME}</em> ${UNBROKEN}`,
    facts: LONG_FACTS,
    picture: wide(1),
    drawing: LINES,
  },
  twelve: { type: 'statement', kicker: 'Twelve facts', heading: 'No picture', facts: facts(12), picture: null },
  'only lines': {
    type: 'statement',
    kicker: 'Only lines',
    heading: 'No picture',
    facts: [],
    picture: null,
    drawing: LINES,
  },
  empty: { type: 'statement', kicker: '', heading: '', facts: [], picture: null },
});
