import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pullContent } from '@pillion/content/sources/pull.ts';
import { createClient } from '@pillion/content/wordpress/client.ts';
import { startWordPress } from '@pillion/scripts/wordpress.mjs';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { createWebm } from '../support/film.ts';
import { BUNDLE } from '../support/fixture.ts';
import { createUser, phpValue, rest, wordpress } from './wordpress.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'packages/server/bin/pillion.mjs');

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-push-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Site {
  url: string;
  admin: { user: string; applicationPassword: string };
}

const loginOf = ({ url, admin }: Site) => ({
  CONTENT_URL: url,
  WORDPRESS_USER: admin.user,
  WORDPRESS_PASSWORD: admin.applicationPassword,
});

/** @param killAt The process is killed when it prints this. */
async function push(environment: Record<string, string>, args: string[], killAt?: string) {
  const child = spawn(process.execPath, [COMMAND, 'push', ...args], {
    env: { ...process.env, PILLION_SITE: 'tests/site', ...environment },
    cwd: ROOT,
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
    if (killAt && printed.includes(killAt)) child.kill('SIGKILL');
  });
  const [code, errors] = await Promise.all([
    new Promise((resolve) => child.once('close', resolve)),
    text(child.stderr),
  ]);
  return { code, printed, errors };
}

/** All files of a bundle, without what a new WordPress numbers, dates, names and sizes in its own way. */
function contentOf(bundle: string) {
  const files: Record<string, unknown> = {};
  for (const lang of ['en', 'de', 'ar']) {
    const read = (name: string) => JSON.parse(comparable(readFileSync(join(bundle, lang, name), 'utf8')));
    for (const { id, path, ...route } of read('routes.json')) {
      const { id: _, ...page } = read(`pages/${id}.json`);
      files[path] = { page: withoutSizes(page), route: { ...route, group: 0, modified: '' } };
    }
    files[`${lang} menus`] = read('menus.json');
    files[`${lang} redirects`] = read('redirects.json');
    files[`${lang} texts`] = withoutNull(read('strings.json'));
    for (const name of readdirSync(join(bundle, lang, 'forms')))
      files[`${lang} ${name}`] = withoutFormId(read(`forms/${name}`));
  }
  return files;
}

const comparable = (file: string) =>
  file
    .replace(/\/media\/20\d\d\/\d\d\//g, '/media/')
    .replace(/(\/media\/[\w-]+?)-(?:de|ar)(?=[.-])/g, '$1')
    .replace(/<img [^>]*>/g, '<img>')
    .replace(/ size-(?:large|full)\b/g, '')
    // WordPress writes them in lower case.
    .replace(/%[\da-f]{2}/gi, (byte) => byte.toUpperCase());

const mapped = (value: unknown, use: (object: Record<string, unknown>) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((member) => mapped(member, use));
  if (typeof value !== 'object' || value === null) return value;
  return use(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, use)])));
};
/** Pictures by address and text, films by address and length. */
const withoutSizes = (value: unknown) =>
  mapped(value, ({ id, ...object }) => {
    if ('sizes' in object) return { url: object.url, alt: object.alt };
    return 'bytes' in object ? object : { id, ...object };
  });
const withoutNull = (value: unknown) =>
  mapped(value, (object) => Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null)));
const withoutFormId = (value: unknown) => mapped(value, ({ formId, ...object }) => object);

/** Blocks that the editor cannot read. */
async function invalidBlocks({ url }: Site, slugs: string[]) {
  const browser = await chromium.launch(CHROMIUM);
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${url}/wp-login.php`);
  // WordPress' script focuses it a moment after the load, and would take the focus from another field.
  await page.locator('#user_login:focus').waitFor();
  await page.fill('#user_login', 'admin');
  await page.fill('#user_pass', 'admin');
  await page.click('#wp-submit');
  await page.waitForURL(/wp-admin/);
  const found: string[] = [];
  for (const slug of slugs) {
    const [{ id }] = await (await fetch(`${url}/wp-json/wp/v2/pages?slug=${slug}&_fields=id`)).json();
    await page.goto(`${url}/wp-admin/post.php?post=${id}&action=edit`);
    // biome-ignore lint/suspicious/noExplicitAny: the editor's own script.
    const blocks = () => (window as any).wp?.data?.select('core/block-editor')?.getBlocks();
    await page.waitForFunction(`(${blocks})()?.length > 0`);
    found.push(
      ...(await page.evaluate<string[]>(
        `(${blocks})().flatMap(function all(block) { return [block, ...block.innerBlocks.flatMap(all)]; }).filter((block) => !block.isValid).map((block) => block.name)`,
      )),
    );
  }
  await browser.close();
  return found;
}

/**
 * A copy of the fixture's content, whose front page has a film, another page settings for search engines, and a third one
 * an Arabic path.
 */
function folderWithFilm() {
  const folder = join(directory, 'film', 'content');
  cpSync(BUNDLE, folder, { recursive: true });
  for (const name of ['menus', 'routes', 'strings']) {
    const arabic = join(folder, `ar/${name}.json`);
    writeFileSync(arabic, readFileSync(arabic, 'utf8').replaceAll('shurut', encodeURIComponent('شروط')));
  }
  const film = createWebm([{ data: 'AAAA', isKey: true }]);
  writeFileSync(join(folder, 'media/ride.webm'), film);
  const [front] = JSON.parse(readFileSync(join(folder, 'en/routes.json'), 'utf8'));
  const file = join(folder, `en/pages/${front.id}.json`);
  const page = JSON.parse(readFileSync(file, 'utf8'));
  page.sections[0].film = { id: 1, url: '/media/ride.webm', bytes: film.length };
  writeFileSync(file, JSON.stringify(page));
  const routes = JSON.parse(readFileSync(join(folder, 'en/routes.json'), 'utf8'));
  const [found] = routes.filter(({ path }: { path: string }) => path === '/paper-notes/');
  found.noindex = true;
  writeFileSync(join(folder, 'en/routes.json'), JSON.stringify(routes));
  const foundFile = join(folder, `en/pages/${found.id}.json`);
  const foundPage = JSON.parse(readFileSync(foundFile, 'utf8'));
  const texts = { title: 'Found “here” \\ & there', description: 'What a search engine shows.' };
  foundPage.found = {
    ...{ ...texts, noindex: true, picture: page.sections[0].picture },
    ...{ share_title: texts.title, share_description: texts.description, verification: [] },
  };
  writeFileSync(foundFile, JSON.stringify(foundPage));
  return folder;
}

test('an empty WordPress gets all content of a folder, and nothing twice if the push was killed', async () => {
  const site = await startWordPress({ directory: join(directory, 'empty'), empty: true });
  onTestFinished(async () => void (await site.stop()));
  const login = loginOf(site);
  const folder = folderWithFilm();
  const pages = async () => (await rest('wp/v2/pages?per_page=100&_fields=id', { as: 'nobody', site })).body.length;

  const planned = await push(login, [folder]);
  expect(planned).toMatchObject({ code: 0, errors: '' });
  expect(planned.printed).toContain('  add   page /de/feldnotizbuch/erstes-kapitel/\n');
  expect(planned.printed).toContain('  add   redirect /journal/\n');
  expect(planned.printed).toMatch(/Nothing is written yet. Add --write to add these \d+ to http/);
  expect(await pages()).toBe(0);

  for (const killAt of [
    'file hero.webp',
    'page /\n',
    'page /de/\n',
    'menu Example: social networks\n',
    'redirect /journal/\n',
  ])
    expect((await push(login, ['--write', folder], `added ${killAt}`)).code).toBe(null);
  expect(await push(login, ['--write', folder])).toMatchObject({ code: 0, errors: '' });
  expect((await push(login, ['--write', folder])).printed).toMatch(/^(?: {2}keep .*\n)+http\S+ has everything\.\n$/);

  const files = (await rest('wp/v2/media?per_page=100&_fields=id', { as: 'nobody', site })).body;
  expect(files).toHaveLength(planned.printed.match(/ {2}add {3}file /g)?.length ?? 0);
  const pulled = join(directory, 'pulled');
  await pullContent({
    client: createClient({ baseUrl: site.url, key: site.key, secret: site.secret }),
    ...{ home: site.url, directory: pulled, warn: () => {} },
  });
  expect(contentOf(pulled)).toEqual(contentOf(folder));
  expect(await invalidBlocks(site, ['home', 'paper-notes'])).toEqual([]);
}, 900_000);

describe('a push that cannot work says why and writes nothing', () => {
  const login = () => loginOf(wordpress());
  /** Number of pages, files, menus and redirects, and the stored languages, forms and texts. */
  const content = () =>
    phpValue(
      `global $wpdb;
       $names = array( 'pillion_languages', 'pillion_forms', 'pillion_strings', 'page_on_front' );
       return array( $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->posts WHERE post_type IN ('page', 'attachment', 'nav_menu_item', 'pillion_redirect')" ), array_map( 'get_option', $names ) );`,
    );
  let before: unknown;
  beforeAll(() => {
    before = content();
  });
  afterAll(() => expect(content()).toEqual(before));
  /** A copy of the fixture's content with a changed file. */
  function folderWith(name: string, change: (file: string) => string, file = 'en/routes.json') {
    const folder = join(directory, name, 'content');
    cpSync(BUNDLE, folder, { recursive: true });
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
    return folder;
  }

  test('for wrong input', async () => {
    expect((await push({}, ['--wrong'])).errors).toBe('--wrong is not an option of this command. Use --write.\n');
    expect((await push({ ...login(), CONTENT_URL: 'http://cms.example' }, [])).errors).toContain(
      'must begin with https://',
    );
    expect((await push({ CONTENT_URL: 'https://cms.example' }, [])).errors).toMatch(
      /^WORDPRESS_USER is missing: .*\nWORDPRESS_PASSWORD is missing: .*\n$/,
    );
    const wrong = await push({ ...login(), WORDPRESS_PASSWORD: 'wrong wrong' }, ['--write']);
    expect(wrong.errors).toContain('Create an application password in WordPress under Users → Profile');
    expect(wrong.errors).not.toContain('wrong wrong');
    expect((await push(login(), ['--write', join(directory, 'nothing')])).errors).toMatch(
      /has no content: .* is missing/,
    );
    expect((await push(login(), [folderWith('broken', () => '[{')])).errors).toMatch(/en\/routes\.json cannot be used/);
  });

  test('for a user who is no administrator', async () => {
    const { caller: as } = createUser('pusher');
    const { errors } = await push({ ...login(), WORDPRESS_USER: as.user, WORDPRESS_PASSWORD: as.password }, [
      '--write',
    ]);
    expect(errors).toBe('WORDPRESS_USER must be an administrator.\n');
    const languages = await rest('pillion/v1/languages', { as, body: { languages: [{ tag: 'de' }] } });
    const form = await rest('pillion/v1/forms', { as, body: { title: 'Mine', fields: [] } });
    const redirect = await rest('pillion/v1/redirects', { as, body: { from: '/mine/', status: 410 } });
    expect([languages.status, form.status, redirect.status]).toEqual([403, 403, 403]);
  });

  test('for an address that redirects, or is not WordPress', async () => {
    let seen = 0;
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/elsewhere')) seen += 1;
      if (request.url?.startsWith('/shop')) response.end('<!doctype html>');
      else response.writeHead(301, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await push({ ...login(), CONTENT_URL: url }, [])).errors).toContain('redirects to /elsewhere');
    expect((await push({ ...login(), CONTENT_URL: `${url}/shop` }, [])).errors).toContain("must be WordPress' address");
    expect(seen).toBe(0);
    server.close();
    expect((await push({ ...login(), CONTENT_URL: url }, [])).errors).toContain('does not respond');
  });

  test('for two pages with one slug, which WordPress would change', async () => {
    const same = folderWith('same', (file) => file.replace('/de/cookies/', '/de/cookie-policy/'), 'de/routes.json');
    const taken = folderWith('taken', (file) => file.replace('/cookie-policy/', '/walked-by-nobody/'));
    const { id } = (
      await rest('wp/v2/pages', { as: 'admin', body: { status: 'draft', title: 'x', slug: 'walked-by-nobody' } })
    ).body;
    onTestFinished(async () => void (await rest(`wp/v2/pages/${id}?force=true`, { as: 'admin', method: 'DELETE' })));
    const { errors } = await push(login(), ['--write', same]);
    expect(errors).toBe(
      'The pages /cookie-policy/ and /de/cookie-policy/ have the same slug, which WordPress does not allow in any two languages. Rename one in the folder, in routes.json and in the links to it.\n',
    );
    expect((await push(login(), [taken])).printed).toContain(
      'keep  page /walked-by-nobody/ (a page that is not published has this address)',
    );
  });

  test('for a path with letters or signs that WordPress replaces, or that no page can have', async () => {
    for (const [at, slug, sign] of [
      ['accent', 'f%C3%BCr-alle', 'ü'],
      ['capital', '%D0%9E-%D0%BD%D0%B0%D1%81', 'О'],
      ['sign', 'v1.0', '.'],
    ] as const) {
      const folder = folderWith(at, (file) => file.replace('/de/cookies/', `/de/${slug}/`), 'de/routes.json');
      expect((await push(login(), ['--write', folder])).errors).toContain(
        `The page /de/${decodeURIComponent(slug)}/ has “${sign}” in its path, which WordPress replaces.`,
      );
    }
    const dots = folderWith('dots', (file) => file.replace('/cookie-policy/', '/../'));
    expect((await push(login(), ['--write', dots])).errors).toContain(
      '/../ in routes.json cannot be the path of a page.',
    );
  });

  test('for another default language, or a section that the plugin lacks', async () => {
    const turned = folderWith(
      'turned',
      (file) => JSON.stringify({ ...JSON.parse(file), languages: JSON.parse(file).languages.toReversed() }),
      'en/strings.json',
    );
    expect((await push(login(), [turned])).errors).toMatch(
      /default language of WordPress is en, that of the content is ar/,
    );
    const [{ id }] = JSON.parse(readFileSync(join(BUNDLE, 'en/routes.json'), 'utf8'));
    const unknown = folderWith('unknown', (file) => file.replace('"statement"', '"timeline"'), `en/pages/${id}.json`);
    expect((await push(login(), [unknown])).errors).toContain('The site has no section timeline');
  });
});
