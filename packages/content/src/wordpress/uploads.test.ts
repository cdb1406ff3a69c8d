import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { failure } from './result.ts';
import { fetchUpload, uploadFolders, uploadPaths } from './uploads.ts';

const CMS = 'https://cms.example';
const WWW = 'https://www.example';

test.each([
  ['the default set-up', CMS, CMS, CMS, `${CMS}/wp-content/uploads`, '/wp-content/uploads/'],
  [
    'WordPress in a folder',
    `${CMS}/blog`,
    `${CMS}/blog`,
    `${CMS}/blog`,
    `${CMS}/blog/wp-content/uploads`,
    '/blog/wp-content/uploads/',
  ],
  ['WordPress files in a folder', CMS, CMS, `${CMS}/wp`, `${CMS}/wp/wp-content/uploads`, '/wp/wp-content/uploads/'],
  ['Bedrock', CMS, CMS, `${CMS}/wp`, `${CMS}/app/uploads`, '/app/uploads/'],
  ['Bedrock, with its folder in CONTENT_URL', `${CMS}/wp`, WWW, `${CMS}/wp`, `${CMS}/app/uploads`, '/app/uploads/'],
  ['the site’s address as home', CMS, WWW, CMS, `${CMS}/wp-content/uploads`, '/wp-content/uploads/'],
  [
    'a private address in CONTENT_URL',
    'http://10.0.0.5',
    CMS,
    `${CMS}/wp`,
    `${CMS}/wp/wp-content/uploads`,
    '/wp/wp-content/uploads/',
  ],
  [
    'a proxy that removes the folder',
    'http://10.0.0.5',
    `${CMS}/blog`,
    `${CMS}/blog`,
    `${CMS}/blog/wp-content/uploads`,
    '/wp-content/uploads/',
  ],
])('uploads are fetched from their folder: %s', (_name, contentUrl, home, url, uploads, fetched) => {
  const site = { home, url, pillion_uploads: [uploads] };
  expect(uploadFolders(contentUrl, site)).toEqual([{ written: `${new URL(uploads).pathname}/`, fetched }]);
});

test.each([
  'https://evil.example/wp-content/uploads',
  'https://cms.example:8443/wp-content/uploads',
  'https://cms.example.evil.example/uploads',
  'https://cms.example@evil.example/uploads',
  'file:///etc',
  'ftp://cms.example/uploads',
  'javascript:alert(1)',
  '//cms.example/uploads',
  '/uploads',
  '',
  CMS,
  `${CMS}/`,
  `${CMS}/uploads/..`,
  `${CMS}/uploads/%2e%2e`,
])('an uploads folder on another host or at the root is ignored: %j', (address) => {
  expect(uploadFolders(CMS, { home: CMS, url: CMS, pillion_uploads: [address] })).toEqual([]);
});

test('with an older plugin, which names no folder, uploads are below CONTENT_URL', () => {
  expect(uploadPaths(`${CMS}/blog/`, { home: CMS, url: CMS }, 'a b/ä.webp')).toEqual([
    '/blog/wp-content/uploads/a%20b/%C3%A4.webp',
  ]);
  expect(uploadPaths(CMS, null, 'a.webp')).toEqual(['/wp-content/uploads/a.webp']);
});

test('a file missing in the first folder is fetched from the next, but no other error causes a retry', async () => {
  const asked: string[] = [];
  const clientWith = (status: number) =>
    ({
      file: async (path: string) => {
        asked.push(path);
        return failure('bad response', 'no', status);
      },
    }) as unknown as Client;
  const site = { home: CMS, url: CMS, pillion_uploads: [`${CMS}/files`, `${CMS}/wp-content/uploads`] };
  await fetchUpload(clientWith(404), CMS, site, 'a.webp');
  expect(asked.splice(0)).toEqual(['/files/a.webp', '/wp-content/uploads/a.webp']);
  await fetchUpload(clientWith(301), CMS, site, 'a.webp');
  expect(asked).toEqual(['/files/a.webp']);
});
