import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { failure } from './result.ts';
import { fetchUpload, uploadFolders, uploadPaths } from './uploads.ts';

const CMS = 'https://cms.example';
const WWW = 'https://www.example';
const PRIVATE = 'http://10.0.0.5';

/** An address below that of WordPress, or of another host. */
const full = (address: string) => (address.startsWith('http') ? address : CMS + address);

test.each([
  ['the default set-up', '', '', '', '/wp-content/uploads', '/wp-content/uploads/'],
  ['WordPress in a folder', '/blog', '/blog', '/blog', '/blog/wp-content/uploads', '/blog/wp-content/uploads/'],
  ['WordPress files in a folder', '', '', '/wp', '/wp/wp-content/uploads', '/wp/wp-content/uploads/'],
  ['Bedrock', '', '', '/wp', '/app/uploads', '/app/uploads/'],
  ['Bedrock, with its folder in CONTENT_URL', '/wp', WWW, '/wp', '/app/uploads', '/app/uploads/'],
  ['the site’s address as home', '', WWW, '', '/wp-content/uploads', '/wp-content/uploads/'],
  ['a private address in CONTENT_URL', PRIVATE, '', '/wp', '/wp/wp-content/uploads', '/wp/wp-content/uploads/'],
  ['a proxy that removes the folder', PRIVATE, '/blog', '/blog', '/blog/wp-content/uploads', '/wp-content/uploads/'],
])('uploads are fetched from their folder: %s', (_name, contentUrl, home, url, uploads, fetched) => {
  const site = { home: full(home), url: full(url), pillion_uploads: [full(uploads)] };
  expect(uploadFolders(full(contentUrl), site)).toEqual([{ written: `${uploads}/`, fetched }]);
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
  const site = { home: CMS, url: CMS, pillion_uploads: ['http://cms.example/files', `${CMS}/wp-content/uploads`] };
  for (const status of [404, 410]) {
    await fetchUpload(clientWith(status), CMS, site, 'a.webp');
    expect(asked.splice(0)).toEqual(['/files/a.webp', '/wp-content/uploads/a.webp']);
  }
  await fetchUpload(clientWith(301), CMS, site, 'a.webp');
  expect(asked).toEqual(['/files/a.webp']);
});
