import { expect, test } from 'vitest';
import { createRewriter } from './rewrite.ts';

const rewriter = createRewriter([
  'http://127.0.0.1:8080',
  'https://cms.example.org/blog',
  'https://cms.example.org/blog/wp',
]);

test.each([
  ['http://127.0.0.1:8080/about/', '/about/'],
  ['http://127.0.0.1:8080', '/'],
  ['https://cms.example.org/blog/about/?a=1#b', '/about/?a=1#b'],
  ['http://cms.example.org/blog', '/'],
  ['//cms.example.org/blog/about/', '/about/'],
  ['/about/', '/about/'],
  ['/wp-admin/', '/wp-admin/'],
  ['#form', '#form'],
  ['https://cms.example.org/blog/wp-content/uploads/2026/11/a.webp?x', '/media/2026/11/a.webp'],
  ['https://cms.example.org/blog/wp/wp-content/uploads/a.webp', '/media/a.webp'],
  ['/wp-content/uploads/a.mp3', '/media/a.mp3'],
])('a link of WordPress becomes a path of the site: %s', (address, path) => {
  expect(rewriter.link(address)).toBe(path);
});

test.each([
  ['https://cms.example.org/other/', 'https://cms.example.org/other/'],
  ['https://cms.example.org/blogger/', 'https://cms.example.org/blogger/'],
  ['http://127.0.0.1:8081/about/', 'http://127.0.0.1:8081/about/'],
  ['https://example.org', 'https://example.org/'],
  ['mailto:read@example.org', 'mailto:read@example.org'],
  ['tel:+4912345', 'tel:+4912345'],
  ['http://127.0.0.1:8080/wp-admin/post.php?post=7', 'http://127.0.0.1:8080/wp-admin/post.php?post=7'],
  ['http://127.0.0.1:8080/wp-login.php', 'http://127.0.0.1:8080/wp-login.php'],
  ['http://127.0.0.1:8080/wp-content/uploads/plan.zip', 'http://127.0.0.1:8080/wp-content/uploads/plan.zip'],
  ['//example.org/about/', 'https://example.org/about/'],
])('an address that the site does not serve keeps its host and path: %s', (address, same) => {
  expect(rewriter.link(address)).toBe(same);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://example.org/1',
  'file:///etc/passwd',
  'ftp://example.org/',
  'http://',
  '',
  '  ',
])('an address that runs code or is invalid is dropped: %j', (address) => {
  expect(rewriter.link(address)).toBeNull();
});

test.each(['http://127.0.0.1:8080//evil.example/', 'http://127.0.0.1:8080/\\evil.example/'])(
  'a path never becomes an address of another host: %s',
  (address) => {
    expect(rewriter.link(address)).toBe('/evil.example/');
  },
);

test.each([
  ['http://127.0.0.1:8080/wp-content/uploads/a.webp', '/media/a.webp'],
  ['/media/a.webp', '/media/a.webp'],
  ['http://127.0.0.1:8080/wp-content/uploads/../../wp-config.php', null],
  ['http://127.0.0.1:8080/wp-content/uploads/a.svg', null],
  ['http://127.0.0.1:8080/a.webp', null],
  ['https://evil.example/wp-content/uploads/a.webp', null],
  ['https://cms.example.org/wp-content/uploads/a.webp', null],
  ['https://evil.example/media/a.webp', null],
  ['javascript:alert(1)', null],
  ['data:image/png;base64,AAAA', null],
])('a picture has an address of the site only if it is an upload of its WordPress: %s', (address, path) => {
  expect(rewriter.media(address)).toBe(path);
});

let noted: string[] = [];
const bedrock = createRewriter(
  ['http://127.0.0.1:8080', 'https://cms.example.org', 'https://cms.example.org/wp'],
  (path) => void noted.push(path),
  ['/app/uploads/'],
);

test.each([
  ['https://cms.example.org/app/uploads/2026/11/a.webp', '/media/2026/11/a.webp'],
  ['http://cms.example.org/app/uploads/a.mp3?v=2', '/media/a.mp3'],
  ['/app/uploads/a.webp', '/media/a.webp'],
  ['https://cms.example.org/wp-content/uploads/a.webp', '/media/a.webp'],
  ['https://cms.example.org/app/uploads/../plugins/a.webp', null],
  ['https://cms.example.org/app/uploads/%2e%2e/plugins/a.webp', null],
  ['https://cms.example.org/app/uploads/a.svg', null],
  ['https://cms.example.org/other/app/uploads/a.webp', null],
  ['https://evil.example/app/uploads/a.webp', null],
  ['https://cms.example.org:8443/app/uploads/a.webp', null],
])('a picture in an uploads folder that WordPress names has an address of the site: %s', (address, path) => {
  noted = [];
  expect(bedrock.media(address)).toBe(path);
  expect(noted).toEqual(path === null ? [] : [path]);
});

test('a file of an uploads folder that the site does not serve keeps its address', () => {
  const plan = 'https://cms.example.org/app/uploads/plan.zip';
  expect(bedrock.link(plan)).toBe(plan);
});

test.each([
  ['https://cms.example.org/app/uploads/plan.zip', true],
  ['http://cms.example.org/wp/about/', true],
  ['/about/', true],
  ['https://cms.example.org:8443/about/', false],
  ['mailto:read@cms.example.org', false],
  ['http://', false],
])('the address %s is in WordPress: %s', (address, isOurs) => {
  expect(bedrock.isOurs(address)).toBe(isOurs);
});

test('an upload is in WordPress although its folder is outside of the address', () => {
  const inFolder = createRewriter(['https://cms.example.org/blog'], () => {}, ['/files/']);
  expect(inFolder.isOurs('https://cms.example.org/files/plan.zip')).toBe(true);
});
