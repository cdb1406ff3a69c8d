import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAtWord, inlineText, paragraphsOf, plainText, textOf, titleText } from './plain-text.ts';
import { drawingSvg, logoSvg } from './svg.ts';

test('a title has no markup, its entities are decoded, and its white space is collapsed', () => {
  expect(plainText(' Terms &#038; <b>Conditions</b>\n&lt;3 <script>alert(1)</script>')).toBe('Terms & Conditions <3');
});

test('a long text is cut after a word, or after a whole character', () => {
  expect(cutAtWord('one two', 7)).toBe('one two');
  expect(cutAtWord('one two three', 10)).toBe('one two…');
  expect(cutAtWord('星星星🌟🌟', 5)).toBe('星星星…');
});

describe('a headline', () => {
  test('keeps emphasised, strong and muted words and line breaks', () => {
    expect(inlineText(' Read\n the <em>last</em> <br/> light <mark>now</mark> <strong>go</strong> ')).toEqual([
      { text: 'Read the ', mark: null },
      { text: 'last', mark: 'em' },
      { text: '\nlight ', mark: null },
      { text: 'now', mark: 'muted' },
      { text: ' ', mark: null },
      { text: 'go', mark: 'strong' },
    ]);
  });

  test('without text is empty, even if it has markup', () => {
    for (const html of ['', '  ', '<br>', '<em> </em>', '<script>x</script>']) expect(inlineText(html)).toEqual([]);
  });

  test('has the same text with and without its marks', () => {
    const pieces = fc.array(
      fc.constantFrom('<em>', '</em>', '<mark>', '</mark>', 'a', ' ', '&amp;', '<b>', '</i>', '<x>'),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const html = parts.join('');
        expect(textOf(inlineText(html)).replace(/\s+/g, ' ').trim()).toBe(plainText(html));
      }),
    );
  });
});

test('an empty line ends a paragraph, a line break does not, and words keep their marks', () => {
  const paragraphs = (html: string) => paragraphsOf(inlineText(html)).map(textOf);
  expect(paragraphs('One<br>more<br><br> <em>Two</em><br><br><br>Three')).toEqual(['One more', 'Two', 'Three']);
  expect(paragraphsOf(inlineText('A<br><br><em>B</em> c'))[1]).toEqual([
    { text: 'B', mark: 'em' },
    { text: ' c', mark: null },
  ]);
  expect(paragraphs(' <br><br> ')).toEqual([]);
});

describe('a logo', () => {
  test('keeps only its shapes, in the colour of the text around it', () => {
    const svg =
      '<?xml version="1.0"?><!-- made by a tool --><svg xmlns="http://www.w3.org/2000/svg" id="l" viewBox="0 0 9 9" onload="alert(1)"><title>L</title><style>*{fill:red}</style><g transform="rotate(45)"><path d="M0 0L9 9" fill="#f00" stroke="none" style="x" class="c"/></g><circle cx="1" cy="1" r="1"/></svg>';
    expect(logoSvg(svg)).toBe(
      '<svg viewBox="0 0 9 9" fill="currentColor"><g transform="rotate(45)"><path d="M0 0L9 9" fill="currentColor" stroke="none"></path></g><circle cx="1" cy="1" r="1"></circle></svg>',
    );
  });

  test('loses scripts, event handlers and references', () => {
    const svg = logoSvg(
      '<svg viewBox="0 0 1 1"><script>alert(1)</script><a href="javascript:x"><path d="M0 0"/></a><use href="#x"/><image href="http://x"/><foreignObject><p>x</p></foreignObject><path d="url(javascript:x)" fill="url(#a)"/><animate onbegin="x"/></svg>',
    );
    expect(svg).toBe(
      '<svg viewBox="0 0 1 1" fill="currentColor"><path d="M0 0"></path><path fill="currentColor"></path></svg>',
    );
  });

  test('loses attributes with names that every JavaScript object has', () => {
    expect(logoSvg('<svg viewBox="0 0 1 1" constructor="1"><path d="M0 0" toString="x" __proto__="x"/></svg>')).toBe(
      '<svg viewBox="0 0 1 1" fill="currentColor"><path d="M0 0"></path></svg>',
    );
  });

  test('loses what a tool puts into definitions, such as the box that clips it', () => {
    const svg =
      '<svg viewBox="0 0 9 9"><g clip-path="url(#c)"><path d="M0 0"/></g><clipPath id="d"><rect width="9"/></clipPath><mask><g><rect/></g></mask><defs><clipPath id="c"><rect width="9" fill="white"/></clipPath></defs></svg>';
    expect(logoSvg(svg)).toBe('<svg viewBox="0 0 9 9" fill="currentColor"><g><path d="M0 0"></path></g></svg>');
    const used = '<svg viewBox="0 0 9 9"><defs><path id="p" d="M0 0"/></defs><use href="#p"/></svg>';
    expect(logoSvg(used)).toContain('<path d="M0 0">');
    const clipped = `${used.replace(/<use.*/, '<mask><use href="#p"/></mask><rect width="9"/></svg>')}`;
    expect(logoSvg(clipped)).not.toContain('<path');
  });

  test.each([
    '',
    'Example',
    '<svg></svg>',
    '<p>x</p>',
    '<svg viewBox="0 0 1 1">',
    `<svg viewBox="0 0 1 1">${' '.repeat(20_000)}</svg>`,
  ])('without shapes is `null`: %.30s', (markup) => {
    expect(logoSvg(markup)).toBeNull();
  });
});

describe('a drawing over a picture', () => {
  test('has lines of length 1 without dashes, and is cropped like its picture', () => {
    const svg =
      '<svg viewBox="0 0 16 10" preserveAspectRatio="none"><g stroke="#fff"><path d="M0 0L9 9" pathLength="40" stroke-dasharray="4 4" stroke-dashoffset="2" fill="none"/></g><circle r="1"/></svg>';
    expect(drawingSvg(svg)).toBe(
      '<svg viewBox="0 0 16 10" preserveAspectRatio="xMidYMid slice"><g stroke="currentColor"><path d="M0 0L9 9" fill="none" pathLength="1"></path></g><circle r="1" pathLength="1"></circle></svg>',
    );
  });

  test('has no scripts, event handlers or references', () => {
    const svg = drawingSvg(
      '<svg viewBox="0 0 1 1" onload="alert(1)"><script>alert(1)</script><style>*{}</style><path d="M0 0" onclick="alert(1)" style="x" stroke="url(http://x)"/><use href="#x"/></svg>',
    );
    expect(svg).toBe(
      '<svg viewBox="0 0 1 1" preserveAspectRatio="xMidYMid slice"><path d="M0 0" stroke="currentColor" pathLength="1"></path></svg>',
    );
  });
});

test('R28: direction marks in a title end with the title, and a title without them is unchanged', () => {
  expect(titleText('Über <em>uns</em>')).toBe('Über uns');
  // An override without an end, an extra end that would close a mark of the page, and nested marks.
  expect(titleText('\u202eevil')).toBe('\u2068\u202eevil\u202c\u2069');
  expect(titleText('a\u2069\u202cb')).toBe('\u2068ab\u2069');
  expect(titleText('\u2067one \u202btwo\u2069')).toBe('\u2068\u2067one \u202btwo\u202c\u2069\u2069');
});
