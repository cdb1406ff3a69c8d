import { expect, test } from 'vitest';
import type { Picture, Section } from '../types.ts';
import { firstPicture } from './page.ts';

const picture = (src: string): Picture => ({ src, alt: '', width: 10, height: 10, sources: [{ src, width: 10 }] });
const hero = (of: Picture | null): Section => ({ type: 'hero', heading: [], picture: of, portrait: null, film: null });
const text = (html: string): Section => ({ type: 'rich-text', html });

test('the share picture of a page is its first picture, in a section or in its text', () => {
  expect(firstPicture([hero(null), text('<p>a</p>'), hero(picture('/media/b.webp'))])?.src).toBe('/media/b.webp');
  const html = '<figure><img src="/media/c-768x480.webp" width="768" height="480" alt="x" /></figure>';
  expect(firstPicture([text(html), hero(picture('/media/b.webp'))])).toMatchObject({
    src: '/media/c-768x480.webp',
    width: 768,
    height: 480,
  });
});

test('a page without pictures has no share picture', () => {
  expect(firstPicture([hero(null), text('<p>/media/x.webp</p>')])).toBeNull();
});
