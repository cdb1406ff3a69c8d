import { expect, test } from 'vitest';
import { draftOf } from '../testing/preview.ts';
import { readDraft } from './draft-thread.ts';

const { page, ...rest } = draftOf({ url: 'http://wordpress.example' });
const readSource = (source: Parameters<typeof readDraft>[0]['source'], isSaved = false) =>
  readDraft({ source, addresses: { addresses: [], folders: [] }, isSaved });
const read = (more: object, isSaved = false) => readSource({ draft: { ...rest, page: { ...page, ...more } } }, isSaved);

test('the description is the editor’s, never the excerpt that WordPress made from the text', () => {
  expect(read({ found: { description: 'Own' } })).toMatchObject({ description: 'Own' });
  expect(read({ yoast_head_json: { description: 'Of Yoast' } })).toMatchObject({ description: 'Of Yoast' });
  expect(read({ excerpt: { rendered: 'Cut' } })).toMatchObject({ description: '' });
});

test('the length limit applies to a page without valid sections too, but not to a saved draft', () => {
  const long = { sections: 'none', content: { rendered: 'x'.repeat(500_001) } };
  expect(read(long)).toBe('too-long');
  expect(read(long, true)).toMatchObject({ blocks: [0] });
});

test('a path above the maximum length is rejected, because each segment costs a lookup', () => {
  const at = (path: string) => readSource({ draft: { ...rest, page, route: { ...rest.route, path } } });
  expect(at('/a'.repeat(2_000))).toMatchObject({ blocks: [0, 1] });
  expect(at('/a'.repeat(2_001))).toBe('unreadable');
});

test('a draft may have many characters, but not more than 50,000 arrays and objects', () => {
  const bytesOf = (content: string, more = '') => {
    const draft = { ...rest, page: { ...page, sections: 'none', content: { rendered: content } } };
    return Buffer.from(`${JSON.stringify({ draft }).slice(0, -1)}${more}}`);
  };
  expect(readSource(bytesOf('x'.repeat(60_000)))).toMatchObject({ blocks: [0] });
  expect(readSource(bytesOf('', `,"more":[${Array(50_000).fill('{}').join()}]`))).toBe('unreadable');
});
