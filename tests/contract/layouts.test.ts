import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pullContent } from '@pillion/content/sources/pull.ts';
import { createClient } from '@pillion/content/wordpress/client.ts';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineSite, findProblems } from '../support/doctor.ts';
import { BEDROCK, type Layout, moveFiles, setHome } from '../support/layouts.ts';
import { createFolder, findFreePort, startSite, waitForSite } from '../support/site.ts';
import { login } from './browser.ts';
import { phpValue } from './wordpress.ts';

const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;

const ends: (() => Promise<void>)[] = [];
const endAll = async () => {
  for (const end of ends.splice(0).reverse()) await end();
};

interface Pair {
  wordpress: RunningWordPress;
  layout: Layout | null;
  folder: string;
  /** Address of the site once it is started. */
  siteUrl: string;
  /** Environment for the site and its doctor. */
  env: Record<string, string>;
}

async function startPair(layout: Layout | null): Promise<Pair> {
  const folder = createFolder();
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const port = await findFreePort();
  const siteUrl = `http://127.0.0.1:${port}`;
  const wordpress = await startWordPress({
    directory: join(folder, 'wordpress'),
    site: { url: siteUrl, secret: SECRET },
  });
  ends.push(wordpress.stop);
  if (layout) await moveFiles(wordpress, layout);
  const { key, secret } = wordpress;
  const env = {
    CONTENT_SOURCE: 'wordpress',
    ...{ CONTENT_URL: wordpress.url, CONTENT_KEY: key, CONTENT_SECRET: secret },
    ...{ WEBHOOK_SECRET: SECRET, SITE_URL: siteUrl, PORT: String(port) },
  };
  return { wordpress, layout, folder, siteUrl, env };
}

async function withSite(pair: Pair, use: () => Promise<void>) {
  const site = await startSite(pair.env);
  try {
    await waitForSite(pair.siteUrl);
    await use();
  } finally {
    await site.stop();
  }
}

/** Addresses of a picture and of the music in the HTML that a visitor gets. */
async function mediaOf(siteUrl: string): Promise<string[]> {
  const html = await (await fetch(`${siteUrl}/`)).text();
  const shell = (await (await fetch(`${siteUrl}/api/shell?lang=en`)).json()) as { strings: { audio: { url: string } } };
  return [/\/media\/[^"\s,]+\.webp/.exec(html)?.[0] ?? 'no picture', shell.strings.audio.url];
}

async function expectMedia(siteUrl: string) {
  const [picture = '', music = ''] = await mediaOf(siteUrl);
  expect(picture).toMatch(/^\/media\/[\w-]+\.webp$/);
  expect(music).toMatch(/^\/media\/[\w-]+\.(m4a|mp3|ogg)$/);
  const answers = await Promise.all([picture, music].map((path) => fetch(siteUrl + path)));
  expect(answers.map(({ status, headers }) => [status, headers.get('content-type')?.split('/')[0]])).toEqual([
    [200, 'image'],
    [200, 'audio'],
  ]);
}

/** Problems in the doctor's words. */
async function complaints({ env }: Pair): Promise<string[]> {
  const { lines } = await examineSite(env);
  return findProblems(lines).flatMap(({ name, state, says }) =>
    name === 'sign-up' ? [] : [`${name}: ${state}: ${says}`],
  );
}

/** The REST address that WordPress passes to the block editor's scripts. */
async function restOfEditor(url: string): Promise<string> {
  const browser = await login('admin', 'admin', { url });
  const { html } = await browser.page('/wp-admin/post-new.php?post_type=page');
  return JSON.parse(/createRootURLMiddleware\( ("[^"]+") \)/.exec(html)?.[1] ?? '""');
}

async function expectWell(pair: Pair) {
  await withSite(pair, async () => {
    await expectMedia(pair.siteUrl);
    expect(await complaints(pair)).toEqual([]);
  });
}

/** Removes a filter of the plugin, as with core alone. */
async function withoutOurs({ wordpress, layout }: Pair, filter: string, use: () => Promise<void>) {
  const folder = join(wordpress.directory, 'html', layout?.content ?? 'wp-content', 'mu-plugins');
  const file = join(folder, 'without-ours.php');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `<?php add_action( 'init', function () { remove_filter( ${filter} ); } );`);
  try {
    await use();
  } finally {
    rmSync(file);
  }
}

/** `tests/hosts/matrix.test.ts` has a WordPress in its own directory. */
const LAYOUTS = [
  ['at the root of its host', null, ''],
  ['in Bedrock’s folders', BEDROCK, '/wp'],
] as const;

describe.each(LAYOUTS)('a WordPress %s', (_name, layout, folder) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(layout);
  });
  afterAll(endAll);

  if (layout)
    test('serves its pictures and music to visitors, and the doctor finds no problem', () => expectWell(pair));

  if (layout)
    test('is pulled into a bundle with its files', async () => {
      const { url, key, secret } = pair.wordpress;
      const client = createClient({ baseUrl: url, key, secret });
      const directory = join(pair.folder, 'bundle');
      const pulled = await pullContent({ client, home: url, directory, warn: () => {} });
      client.close();
      expect(pulled.media).toBeGreaterThan(10);
      expect(readFileSync(join(directory, 'en/strings.json'), 'utf8')).toMatch(/"\/media\/[\w-]+\.\w+"/);
    });

  test('works with the site’s address as its home: the editor saves and pictures load', async () => {
    const { wordpress, siteUrl, env } = pair;
    await setHome(wordpress, siteUrl);
    const url = wordpress.url + folder;
    expect(await restOfEditor(url)).toBe(`${url}/wp-json/`);
    await expectWell({ ...pair, env: { ...env, CONTENT_URL: url } });
  });

  if (!layout)
    test('is reported as broken when REST addresses point to the site', async () => {
      const { wordpress, siteUrl, env } = pair;
      await withoutOurs(
        pair,
        "'rest_url', array( 'Pillion\\Site\\Addresses', 'use_wordpress_address' ), 5",
        async () => {
          expect(await restOfEditor(wordpress.url)).toBe(`${siteUrl}/wp-json/`);
          const { lines, code } = await examineSite(env);
          expect(lines.find(({ name }) => name === 'saving')).toMatchObject({
            state: 'broken',
            says: expect.stringContaining(`it sends to ${siteUrl}/wp-json/`),
            todo: expect.stringContaining('rest_url'),
          });
          expect(code).toBe(1);
        },
      );
    });
});

test.each([
  ['home is the site’s address', 'https://www.example', 'https://cms.example', 'cms.example', 'https://cms.example/'],
  ['the request came to home', 'https://www.example', 'https://example', 'www.example', 'https://www.example/'],
  ['one name has two ports', 'https://a.example', 'https://a.example:8443', 'a.example', 'https://a.example:8443/'],
  [
    'home and site share a host',
    'https://www.example',
    'https://www.example/wp',
    'www.example',
    'https://www.example/wp/',
  ],
  [
    'WordPress has its own directory',
    'https://cms.example',
    'https://cms.example/wp',
    'cms.example',
    'https://cms.example/',
  ],
  ['home has a path', 'https://www.example/b', 'https://cms.example', 'cms.example', 'https://cms.example/'],
])('REST addresses lead to WordPress if %s', (_name, home, url, host, expected) => {
  const rest = phpValue<string>(`
    add_filter( 'pre_option_pillion_site', function () { return array( 'address' => 'https://www.example', 'secret' => '' ); } );
    add_filter( 'option_home', function () { return '${home}'; }, 20 );
    add_filter( 'option_siteurl', function () { return '${url}'; }, 20 );
    $_SERVER['HTTP_HOST'] = '${host}'; $_SERVER['HTTPS'] = 'on';
    return rest_url( '/x' );`);
  expect(rest).toBe(`${expected}wp-json/x`);
});
