import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findBrowser } from '@pillion/site-tests/browser.mjs';
import { ADVICE, sortResults, testPage } from '@pillion/site-tests/checks.mjs';
import { createPng } from '../support/png.ts';
import { expect, test } from './test.ts';

/** A page on which the tests of a site find nothing. */
const GOOD = `<!doctype html>
<html lang="en" data-stage="playing">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
<link rel="icon" href="data:,">
<style>
body { margin: 1rem; font: 1rem/1.5 sans-serif; color: #222; background: #fff }
a, button { display: inline-block; min-height: 1.5rem } :focus-visible { outline: 2px solid #222 }
@keyframes glow { to { opacity: .5 } }
</style>
</head>
<body>
<a href="#main">To the content</a>
<header><nav><a href="/other/">Other page</a></nav></header>
<main id="main" tabindex="-1">
<h1>A page</h1>
<p>Words of the page.</p>
<div style="background: #000"><p style="opacity: .5; color: #000; background: #ff0">Half visible, readable.</p></div>
<img src="/grey.png" width="40" height="40" alt="Grey">
<form action="/send/" method="post"><label>Name <input name="name"></label>
<label>Small <input type="radio" name="size"></label> <label>Large <input type="radio" name="size" checked></label>
<button>Send</button></form>
<i style="animation: glow 1s paused">Paused.</i>
<details><summary>More</summary><p>Folded words.</p></details>
</main>
</body>
</html>`;

const BUDGETS = { script: 10_000, styles: 10_000, document: 10_000, fonts: 10_000, all: 20_000, layoutShift: 0.1 };

const LATE = `requestAnimationFrame(() => requestAnimationFrame(() => {
  document.querySelector('header').style.height = '600px'
}))`;
const SCRIPT = `<script>
addEventListener('load', () => { ${LATE} })
document.querySelector('form').insertAdjacentHTML('afterbegin', '<label>City <input name="city"></label> ')
document.querySelector('#shown').hidden = false
missing()
</script>`;

/** Mistakes, all made on one page: what to replace by what, the checks that report it and what they say. */
const MISTAKES: [find: string, put: string, ...reports: [check: string, words: RegExp][]][] = [
  [
    '</body>',
    `${SCRIPT}</body>`,
    ['errors', /missing is not defined/],
    ['no script', /^the field "city" is missing$/],
    ['layout shift', /at most 0\.1; most of it moves/],
  ],
  ['data:,', '/missing.svg', ['errors', /^\/missing\.svg answers 404$/]],
  ['<label>Name <input name="name"></label>', '<input name="name">', ['axe', /^label input/]],
  ['alt="Grey"', '', ['axe', /^image-alt img/]],
  [
    '<p>Words of the page.</p>',
    '<div style="background: url(/grey.png)"><p style="color: #fff">White on grey.</p></div>',
    ['contrast', /^"White on grey\." 3\.\d+ of 4\.5 \(at 1440 px\)$/],
  ],
  [
    '<details>',
    '<p style="opacity: .5">Half visible.</p><details>',
    ['contrast', /^"Half visible\." 3\.\d+ of 4\.5 \(at 1440 px\)$/],
  ],
  ['<h1>', '<p style="width: 500px">Wide</p><h1>', ['overflow', /^P .*\(at 320 px\)$/]],
  ['</style>', '@media (width > 1500px) { h1 { width: 2000px } }</style>', ['overflow', /^H1 .*\(at 1920 px\)$/]],
  ['href="#main"', 'href="/nowhere/"', ['keyboard', /first Tab stop is not a link/], ['links', /\/nowhere\/.* 404/]],
  ['2px solid #222', 'none', ['keyboard', /^no visible focus on "Other page"$/]],
  ['<button>', '<button onfocus="this.blur()">', ['keyboard', /^Tab does not reach "(?:Send|More)"$/]],
  ['</main>', '<p id="shown" hidden>Only by script.</p></main>', ['no script', /^"Only by script\." is hidden$/]],
  [
    '</style>',
    '@keyframes far { to { translate: 9px } } h1 { animation: far 1s infinite }</style>',
    ['reduced motion', /^H1 {2}\(translate\) moves$/],
  ],
  ['</main>', '<img src="/large.png" width="9" height="9" alt=""></main>', ['bytes', /^all: /]],
  ['</main>', '<img src="/other/" width="9" height="9" alt=""></main>', ['pictures', /\/other\/$/]],
];

/** Serves a page at `/`, a second one and two pictures. */
async function serve(html: string) {
  const grey = await createPng(40, 40);
  const files: Record<string, [type: string, body: string | Buffer]> = {
    '/': ['text/html', html],
    '/other/': ['text/html', GOOD],
    '/grey.png': ['image/png', grey],
    '/large.png': ['image/png', Buffer.concat([grey, Buffer.alloc(30_000)])],
  };
  const server = createServer(({ url = '/' }, response) => {
    const [type, body] = files[url] ?? ['text/plain', 'not found'];
    response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, [Symbol.asyncDispose]: async () => void server.close() };
}

const statusOf = (url: string) => fetch(url).then(({ status }) => status);

const test200 = { status: 200, budgets: BUDGETS, statusOf };

test('the tests of a site find nothing on a good page', async ({ browser }) => {
  await using site = await serve(GOOD);
  const { results } = await testPage(browser, site.url, test200);
  expect(sortResults(results)).toEqual(Object.keys(ADVICE).map((check) => ({ check, problems: [] })));
});

test('the tests of a site report each mistake of a page, with every check but the status', async ({ browser }) => {
  const broken = MISTAKES.reduce((html, [find, put]) => {
    expect(html).toContain(find);
    return html.replace(find, put);
  }, GOOD);
  await using site = await serve(broken);
  const { results } = await testPage(browser, site.url, test200);
  const wrong = Object.fromEntries(sortResults(results).map(({ check, problems }) => [check, problems]));
  for (const [, , ...reports] of MISTAKES)
    for (const [check, words] of reports) expect.soft(wrong[check]).toContainEqual(expect.stringMatching(words));
  const checks = MISTAKES.flatMap(([, , ...reports]) => reports.map(([check]) => check));
  expect(new Set([...checks, 'answer'])).toEqual(new Set(Object.keys(ADVICE)));
});

test('the tests of a site report an unknown address that answers 200, and a script that does not start', async ({
  browser,
}) => {
  await using site = await serve(GOOD.replace('data-stage="playing"', ''));
  const { results } = await testPage(browser, site.url, { ...test200, status: 404, readyMs: 500 });
  expect(results[0]).toEqual({ check: 'answer', problems: ['answers 200, not 404', 'is not ready after 0.5 s'] });
});

test('without a browser the tests of a site say how to get one', () => {
  expect(() => findBrowser([], '/nowhere/chromium')).toThrow(/CHROMIUM is \/nowhere\/chromium, which does not exist/);
  expect(findBrowser(['/usr/bin/chromium'], undefined)).toBe('/usr/bin/chromium');
});
