import { COMPOUND, NAME, SENTENCE, UNBROKEN } from '../../workbench/samples.ts';
import type { StatesOf } from '../../workbench/section-states.ts';

/** The text section in each state that the workbench shows, in the format of WordPress. */
export const states: StatesOf = () => ({
  full: {
    type: 'rich-text',
    html: `<p>${SENTENCE}</p><ul><li>One</li><li>Two</li></ul><blockquote><p>${SENTENCE}</p></blockquote>`,
  },
  longest: { type: 'rich-text', html: `<p>${SENTENCE}</p><h2>${COMPOUND}</h2><p>${UNBROKEN}</p>` },
  video: {
    type: 'rich-text',
    html: `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper"><iframe src="https://www.youtube.com/embed/abcdefghij_" title="${SENTENCE}"></iframe></div><figcaption>${NAME}</figcaption></figure>`,
  },
  'around a section': [
    { type: 'rich-text', html: `<p>${SENTENCE}</p>` },
    { type: 'statement', kicker: 'Between', heading: 'A section', facts: [], picture: null },
    { type: 'rich-text', html: `<ul><li>${NAME}</li><li>One</li></ul>` },
  ],
});
