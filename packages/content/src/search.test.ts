import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf, markMatches, readableText, wordsOf } from './pages/excerpt.ts';
import type { PageContent } from './pages/page-content.ts';
import { EMPTY_HEAD } from './pages/page-head.ts';
import type { KeptSection } from './pages/sections.ts';
import { MAX_QUERY_LENGTH, normalizeQuery } from './search.ts';

const pageWith = (sections: unknown[], description = ''): PageContent => ({
  isPublic: true,
  title: 'A page',
  template: '',
  theme: null,
  sections: sections as KeptSection[],
  description,
  metaTitle: '',
  metaImage: null,
  shareTitle: '',
  shareDescription: '',
  canonical: null,
  noindex: false,
  robots: '',
  head: EMPTY_HEAD,
});
const text = (html: string) => ({ type: 'rich-text', html });

test('R31: a query is trimmed, normalised, free of control characters and limited in length', () => {
  expect(normalizeQuery('  letter \u0000 \n tour ')).toBe('letter tour');
  expect(normalizeQuery('x'.repeat(10_000))).toHaveLength(MAX_QUERY_LENGTH);
  expect(normalizeQuery('e\u0301')).toBe('é');
  expect(normalizeQuery('می\u200cخواهم')).toBe('می\u200cخواهم');
  expect(normalizeQuery(`${'x'.repeat(MAX_QUERY_LENGTH - 1)}🏍`)).toBe('x'.repeat(MAX_QUERY_LENGTH - 1));
  expect(wordsOf('Letter  letter Tour')).toEqual(['letter', 'tour']);
});

test('the searched text of a page has no markup, addresses or type names', () => {
  const picture = { src: '/media/a.webp', alt: 'A tour', width: 1, height: 1, sources: [{ src: '/a', width: 1 }] };
  const content = pageWith([
    {
      type: 'hero',
      heading: [
        { text: 'Read the ', mark: null },
        { text: 'first page', mark: 'em' },
      ],
      picture,
      film: { src: '/media/a.mp4', bytes: 1 },
    },
    { type: 'questions', items: [{ id: 'q-how-far', question: 'How far?', answer: [[{ text: 'Far.', mark: null }]] }] },
    {
      type: 'statement',
      kicker: 'The page',
      drawing: '<svg viewBox="0 0 1 1"></svg>',
      facts: [{ label: 'Length', value: '48 km' }],
      picture: null,
    },
    text('<p>The <strong>pap</strong>er &amp; the tide</p><table><tr><td>Mail boat</td><td>21:15</td></tr></table>'),
  ]);
  expect(readableText(content)).toBe(
    'Read the first page How far? Far. The page Length 48 km The paper & the tide Mail boat 21:15',
  );
});

test('an excerpt begins shortly before the first match, and all matches are marked', () => {
  const content = pageWith([
    text(`<p>${'before it '.repeat(40)}the Paper leaves at dusk ${'and after '.repeat(60)}</p>`),
  ]);
  const runs = excerptOf(content, ['paper', 'dusk']);
  expect(runs.filter(({ isMatch }) => isMatch).map((run) => run.text)).toEqual(['Paper', 'dusk']);
  const whole = runs.map((run) => run.text).join('');
  expect(whole).toMatch(/^… .{10,60}the Paper leaves at dusk .* …$/);
  expect(whole.length).toBeLessThan(215);
});

test('an excerpt of a text without spaces contains the match', () => {
  const matchesOf = (html: string) => excerptOf(pageWith([text(html)]), ['渡船']).filter(({ isMatch }) => isMatch);
  expect(matchesOf(`<p>${'海'.repeat(300)}渡船${'風'.repeat(300)}</p>`)).toHaveLength(1);
  expect(matchesOf(`<p>${'海'.repeat(300)}渡船${'風'.repeat(300)} ${'風'.repeat(300)}</p>`)).toHaveLength(1);
  expect(matchesOf(`<p>${'海'.repeat(300)} 海 海渡船${'風'.repeat(300)}</p>`)).toHaveLength(1);
});

test('if only the title matches, the excerpt is the description', () => {
  const runs = excerptOf(pageWith([text('<p>Something else.</p>')], 'What this is about.'), ['title']);
  expect(runs).toEqual([{ text: 'What this is about.', isMatch: false }]);
});

test('marked text is complete for any query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ minLength: 1 })), (whole, words) => {
      expect(
        markMatches(whole, words)
          .map((run) => run.text)
          .join(''),
      ).toBe(whole);
    }),
  );
  expect(markMatches('reader and read', ['read', 'reader']).filter(({ isMatch }) => isMatch)).toEqual([
    { text: 'reader', isMatch: true },
    { text: 'read', isMatch: true },
  ]);
  expect(markMatches('a.c abc', ['a.c'])).toEqual([
    { text: 'a.c', isMatch: true },
    { text: ' abc', isMatch: false },
  ]);
});
