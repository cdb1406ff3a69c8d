import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { phpValue, rest } from '../contract/wordpress.ts';
import { findProblems, runDoctor } from '../support/doctor.ts';
import { type RunningSite, startSite, waitForSite } from '../support/site.ts';
import { type Host, type HostOptions, startHost } from './host.ts';
import { addFileField, signUpWithFile } from './sign-up.ts';
import { WEB_SERVERS } from './web-servers.ts';

const SETUPS: HostOptions[] = [
  ...WEB_SERVERS.map((web) => ({ web })),
  { web: 'nginx + FPM', layout: 'in its own directory' },
  { web: 'Apache mod_php', layout: 'network in folders' },
  { web: 'Apache + FPM', release: '6.1' },
];

const LAYOUT = 'at the root';
const RELEASE = 'mariadb-7.1';

describe.each(SETUPS.map((setup) => ({ layout: LAYOUT, release: RELEASE, ...setup }) as const))(
  'WordPress $release on $web, $layout',
  (setup) => {
    let host: Host;
    let site: RunningSite;

    beforeAll(async () => {
      host = await startHost(setup);
      addFileField(host, 8);
      site = await startSite(host.env);
      await waitForSite(site.url);
    });
    afterAll(async () => {
      await site?.stop();
      await host?.stop();
    });

    test('the site reads content with the key', async () => {
      const { body } = await rest('pillion/v1/facts', { site: host });
      expect(body).toMatchObject({ url: expect.stringContaining(`127.0.0.1:${host.port}`) });
      expect(await (await fetch(site.url)).text()).toContain('<h1');
    });

    test('the site serves a picture', async () => {
      const html = await (await fetch(site.url)).text();
      const path = /\/media\/[^"\s,]+\.webp/.exec(html)?.[0];
      const answer = await fetch(site.url + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    });

    test('a sign-up with a file of 5 MB arrives', async () => {
      const { name, size } = await signUpWithFile(site, 5);
      const arrived = () =>
        phpValue<string[]>(
          `return array_map( function ( $id ) { return get_post_meta( $id, '_pillion_files', true ); },
              get_posts( array( 'post_type' => 'pillion_entry', 'post_status' => 'any', 'fields' => 'ids' ) ) );`,
          host,
        );
      await expect.poll(arrived, { timeout: 30_000 }).toEqual([expect.stringContaining(`"name":"${name}"`)]);
      expect(arrived()[0]).toContain(`"size":${size}`);
    });

    test('a preview opens', async () => {
      const draft = { status: 'draft', title: 'Draft', template: 'landing', content: '<p>Only in the preview</p>' };
      const { body: page } = await rest('wp/v2/pages', { as: 'admin', site: host, body: draft });
      const { body } = await rest(`pillion/v1/preview/${page.id}/token`, {
        as: 'admin',
        site: host,
        body: { kind: 'open' },
      });
      const opened = await fetch(body.url, { redirect: 'manual' });
      const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const shown = await fetch(`${site.url}/preview/${page.id}/`, { headers: { cookie } });
      expect(await shown.text()).toContain('Only in the preview');
    });

    test('the doctor finds no problem', async () => {
      const { lines } = await runDoctor(host.env, '--trial');
      expect(findProblems(lines).map(({ name, says }) => `${name}: ${says}`)).toEqual([]);
    });
  },
);
