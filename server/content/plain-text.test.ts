import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logoSvg } from './logo.ts';
import { inlineText, plainText, textOf } from './plain-text.ts';

test('a title is its words: no markup, entities decoded, white space collapsed', () => {
  expect(plainText(' Terms &#038; <b>Conditions</b>\n&lt;3 <script>alert(1)</script>')).toBe('Terms & Conditions <3');
});

describe('a headline', () => {
  test('has turned, strong and receding words and line breaks', () => {
    expect(inlineText(' Ride\n the <em>last</em><br/>light <mark>now</mark> <strong>go</strong> ')).toEqual([
      { text: 'Ride the ', mark: null },
      { text: 'last', mark: 'em' },
      { text: '\nlight ', mark: null },
      { text: 'now', mark: 'muted' },
      { text: ' ', mark: null },
      { text: 'go', mark: 'strong' },
    ]);
  });

  test('that is empty or only markup is empty', () => {
    for (const html of ['', '  ', '<br>', '<em> </em>', '<script>x</script>']) expect(inlineText(html)).toEqual([]);
  });

  test('reads as the same words with and without its marks', () => {
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

describe('a logo', () => {
  test('is shapes that paint in the colour around them', () => {
    const svg =
      '<?xml version="1.0"?><!-- made by a tool --><svg xmlns="http://www.w3.org/2000/svg" id="l" viewBox="0 0 9 9" onload="alert(1)"><title>L</title><style>*{fill:red}</style><g transform="rotate(45)"><path d="M0 0L9 9" fill="#f00" stroke="none" style="x" class="c"/></g><circle cx="1" cy="1" r="1"/></svg>';
    expect(logoSvg(svg)).toBe(
      '<svg viewBox="0 0 9 9"><g transform="rotate(45)"><path d="M0 0L9 9" fill="currentColor" stroke="none"></path></g><circle cx="1" cy="1" r="1"></circle></svg>',
    );
  });

  test('that refers to something or runs something loses it', () => {
    const svg = logoSvg(
      '<svg viewBox="0 0 1 1"><script>alert(1)</script><a href="javascript:x"><path d="M0 0"/></a><use href="#x"/><image href="http://x"/><foreignObject><p>x</p></foreignObject><path d="url(javascript:x)" fill="url(#a)"/><animate onbegin="x"/></svg>',
    );
    expect(svg).toBe('<svg viewBox="0 0 1 1"><path d="M0 0"></path><path fill="currentColor"></path></svg>');
  });

  test.each([
    '',
    'Lowsun',
    '<svg></svg>',
    '<p>x</p>',
    '<svg viewBox="0 0 1 1">',
    `<svg viewBox="0 0 1 1">${' '.repeat(20_000)}</svg>`,
  ])('is none where there is no drawing: %.30s', (markup) => {
    expect(logoSvg(markup)).toBeNull();
  });
});
