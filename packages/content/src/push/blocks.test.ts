import { expect, test } from 'vitest';
import { sectionBlocks } from './blocks.ts';

const references = { attachmentId: () => 7, addressOf: () => '/wp-content/uploads/a.webp', formId: (id: number) => id };
const blocksOf = (html: string) => sectionBlocks({ type: 'rich-text', html }, references);

test('a picture without a class becomes an image block', () => {
  expect(blocksOf('<figure><img src="/media/a.webp" alt="A"></figure>')).toMatch(/^<!-- wp:image \{"id":7/);
});

test.each([
  '<figure id="map"><img src="/media/a.webp" alt="A"></figure>',
  '<hr id="end">',
  '<ul><li id="first">A</li></ul>',
])('%s goes into a block of HTML, which keeps its anchor', (html) => {
  const blocks = blocksOf(html);
  expect(blocks).toMatch(/^<!-- wp:html -->/);
  expect(blocks).toContain(/id="\w+"/.exec(html)?.[0]);
});

test('the anchor of a heading stays, with quotes too', () => {
  expect(blocksOf('<h2 id="a&quot;b">A &amp; B</h2>')).toBe(
    '<!-- wp:heading -->\n<h2 class="wp-block-heading" id="a&quot;b">A &amp; B</h2>\n<!-- /wp:heading -->',
  );
});

test('a list whose text continues after an inner list goes into a block of HTML, in the same order', () => {
  const blocks = blocksOf('<ul><li>A<ul><li>B</li></ul> C</li></ul>');
  expect(blocks).toBe('<!-- wp:html -->\n<ul><li>A<ul><li>B</li></ul> C</li></ul>\n<!-- /wp:html -->');
  expect(blocksOf('<ul><li>A<ul><li>B</li></ul>\n</li></ul>')).toMatch(/^<!-- wp:list -->/);
});
