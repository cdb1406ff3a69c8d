import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, rest } from '../contract/wordpress.ts';
import { examineSite } from '../support/doctor.ts';
import type { RunningSite } from '../support/site.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/** Occurs in one draft only. */
const WORD = 'Zugzwangvogel';

describe.skipIf(!owned.w3tc)('W3 Total Cache with caching of the REST API', () => {
  let site: PluginSite;
  let pillion: RunningSite;
  const content = () => join(site.wordpress.directory, 'html/wp-content');
  const ask = (path: string, as: Caller = 'key') => rest(path, { as, site: site.wordpress });
  /** Saves as the block editor does. The editor's browser requests the receipt after each save. */
  async function edit(path: string, body: object) {
    const { url, admin } = site.wordpress;
    const authorization = `Basic ${Buffer.from(`${admin.user}:${admin.applicationPassword}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json', 'x-wp-nonce': 'a browser sends one' };
    const response = await fetch(`${url}/wp-json/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return response.json();
  }

  beforeAll(async () => {
    site = await startPluginSite({ plugins: ['w3tc'], isNotified: true });
    site.php(`$config = W3TC\\Dispatcher::config();
      $config->set( 'pgcache.enabled', true ); $config->set( 'pgcache.engine', 'file' ); $config->set( 'pgcache.rest', 'cache' ); $config->save();`);
    // Does what the plugin does when its settings are saved in wp-admin.
    cpSync(
      join(content(), 'plugins/w3-total-cache/wp-content/advanced-cache.php'),
      join(content(), 'advanced-cache.php'),
    );
    const settings = join(content(), '../wp-config.php');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('<?php', "<?php\ndefine( 'WP_CACHE', true );"));
    pillion = await site.startPillion();
  });
  afterAll(() => site?.stop());

  /** All its cached files, joined. Each response is there compressed and uncompressed. */
  function kept(): string {
    const folder = join(content(), 'cache');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    return files.flatMap((file) => (statSync(file).isFile() ? [readFileSync(file, 'latin1')] : [])).join('\n');
  }

  test('it caches a response that the site never requests', async () => {
    await ask('wp/v2/types/page', 'nobody');
    expect(kept()).toContain('"rest_base":"pages"');
  });

  test('responses to a key are not cached, and a client without the key is rejected', async () => {
    for (const path of ['pillion/v1/facts', 'gf/v2/forms/1', 'wp/v2/settings', 'wp/v2/menus']) {
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
      expect([path, (await ask(path, 'nobody')).status]).toEqual([path, 401]);
      expect([path, (await ask(path)).status], 'the refusal is not cached either').toEqual([path, 200]);
    }
    expect(kept()).not.toContain('"largest_post"');
    expect(kept()).not.toContain('You are on the list.');
  });

  test('no word of a previewed draft is in its folder', async () => {
    const { id } = await edit('wp/v2/pages', { status: 'draft', title: WORD, content: `<p>${WORD}</p>` });
    const { url } = await edit(`pillion/v1/preview/${id}/token`, { kind: 'open' });
    const opened = await fetch(url, { redirect: 'manual' });
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await (await fetch(`${pillion.url}/preview/${id}/`, { headers: { cookie } })).text()).toContain(WORD);
    expect(kept().includes(WORD)).toBe(false);
  });

  test('a receipt says live once the site shows the change, even after anonymous requests for the same data', async () => {
    const page = { status: 'publish', slug: 'in-time', title: 'Before', content: '<p>Before</p>' };
    const { id } = await edit('wp/v2/pages', page);
    const shown = async () => (await fetch(`${pillion.url}/in-time/`)).text();
    await expect.poll(shown).toContain('Before');
    const fields = 'id,status,title,content,excerpt,template,acf,sections,picture,found,yoast_head_json';
    for (const path of [`wp/v2/pages/${id}?_fields=${fields}&lang=en`, 'gusto/routes?lang=en'])
      expect((await ask(path, 'nobody')).status).toBe(200);
    await edit(`wp/v2/pages/${id}`, { title: 'After', content: '<p>After</p>' });
    expect(await edit('pillion/v1/receipt', {})).toMatchObject({ state: 'live' });
    expect(await shown()).toContain('After');
  });

  test('the doctor finds no problem, and reports one if the plugin marks no responses, as older versions', async () => {
    const { url, key, secret } = site.wordpress;
    const env = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
    const { lines } = await examineSite(env);
    expect(lines.filter(({ group, state }) => /Connection|Key/.test(group) && state !== 'ok')).toEqual([]);
    const marks = join(content(), 'plugins/pillion/src/Access/Uncached.php');
    writeFileSync(marks, readFileSync(marks, 'utf8').replace("define( 'DONOTCACHEPAGE', true )", 'true'));
    // PHP caches the old file for a moment.
    const found = async (name: string) => (await examineSite(env)).of(name)?.says ?? '';
    await expect.poll(() => found('without the key')).toContain('Anybody can read /wp-json/pillion/v1/facts');
    expect(await found('cache')).toMatch(/^A (page )?cache .*in WordPress’ place/);
  });
});
