import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { buildImage, type Container, type Image, startContainer } from '../support/image.ts';
import { startNginx } from '../support/nginx.ts';
import { readSignUps, SHARED_KEY } from '../support/sign-ups.ts';
import { findFreePort } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';
import { findUnexpected, startVisitors } from '../support/visitors.ts';

const { folder, forTest, undo } = undoAfterEach(60_000);

let image: Image;
beforeAll(async () => {
  image = await buildImage();
}, 1_200_000);
afterAll(() => image?.remove(), 300_000);

const MEGABYTES = { own: 40, all: 220 };

/** Starts a container. @returns Once its health check passes. */
async function start(root: string, given: Parameters<typeof startContainer>[2]): Promise<Container> {
  const from = performance.now();
  const container = startContainer(image, root, given);
  undo(() => container.end('KILL'));
  while (!container.isHealthy()) await pause(50);
  console.log(`container: healthy after ${((performance.now() - from) / 1000).toFixed(1)} s`);
  return container;
}

/** Name and version of each package that npm installed into a folder. */
const packagesIn = (directory: string) =>
  globSync('node_modules/{*,@*/*}/{package.json,node_modules/{*,@*/*}/package.json}', { cwd: directory })
    .map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')))
    .filter(({ name }) => !/^(@pillion\/|create-pillion$)/.test(name))
    .map(({ name, version }) => `${name}@${version}`);

test('the image contains the packages of its bill of materials, no tools, tests or sources, and is small', () => {
  const place = join(image.root, image.config.WorkingDir);
  const installed = [...new Set(packagesIn(place))];
  const { components } = JSON.parse(readFileSync(join(place, 'sbom.json'), 'utf8'));
  const listed = components.map(({ 'bom-ref': ref }: { 'bom-ref': string }) => ref.split('|').at(-1));
  expect(listed).toEqual(expect.arrayContaining(installed));
  expect(installed.length).toBeGreaterThan(40);
  expect(installed.filter((name) => /^(vite|typescript|vitest|@playwright\/test)@/.test(name))).toEqual([]);
  expect(
    globSync(['{packages,plugins,scripts,site}/**/*.test.*', '{scripts,tests,docs,.git}'], { cwd: place }),
  ).toEqual([]);
  const { base, own } = image.layers;
  console.log(`image, compressed: ${own.toFixed(0)} MB over a base of ${base.toFixed(0)} MB`);
  expect(own).toBeLessThan(MEGABYTES.own);
  expect(own + base).toBeLessThan(MEGABYTES.all);
});

test('a container serves as a plain user on a read-only disk and stops with 0, and its backup starts', async () => {
  const first = await start(image.root, { port: await findFreePort(), data: folder() });
  expect(first.exec('id -u').said).toBe('1000\n');
  expect(first.exec('touch new').said).toContain('Read-only file system');
  const html = await (await fetch(`${first.url}/privacy-policy/`)).text();
  expect(html).toContain('</h1>');
  const drawn = /property="og:image" content="[^"]*?(\/(?:share|media)\/[^"]+)"/.exec(html)?.[1] ?? '';
  expect((await fetch(first.url + drawn)).status).toBe(200);
  const id = randomUUID();
  expect((await sendSignUp(first.url, createSignUp(id))).status).toBe(200);
  // The commands are those that the site's messages and the guide name.
  expect(first.exec('npm run sign-ups -- list')).toEqual({ status: 0, said: expect.stringContaining(id) });
  expect(first.exec('npm run doctor').said).toContain('CONTENT_SOURCE is “bundled”');
  expect([await first.end('TERM'), first.output()]).toEqual([0, expect.stringContaining('"event":"stopping"')]);

  const backup = folder();
  for (const file of ['sign-ups.sqlite', 'secret-key']) cpSync(join(first.data, file), join(backup, file));
  expect(existsSync(join(first.data, 'sign-ups.sqlite-wal'))).toBe(false);
  const second = await start(image.root, { port: first.port, data: backup });
  expect(second.exec(`npm run sign-ups -- show ${id}`).said).toContain('ada@example.org');
}, 300_000);

/** A text of the menu in each version. */
const [OLD, NEW] = ['The ferry log', 'Log of the ferry'];

/** The next version of the image, with another text in the menu. */
async function nextVersion(): Promise<string> {
  const root = await image.copy();
  const file = join(root, image.config.WorkingDir, 'site/content/en/menus.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(OLD, NEW));
  return root;
}

const read = async ({ url }: Container) => (await fetch(url)).text();

test('a new version replaces three containers under load without a failed request or a lost sign-up', async () => {
  const postgres = await forTest(startPostgres());
  const env = { TRUST_PROXY: '1', DATABASE_URL: postgres.url, SECRET_KEY: SHARED_KEY };
  const sites: Container[] = [];
  for (let at = 0; at < 3; at += 1)
    sites.push(await start(image.root, { port: await findFreePort(), data: folder(), env }));
  const ports = sites.map(({ port }) => port);
  const nginx = await forTest(startNginx(folder(), ports));
  const next = await nextVersion();

  for (const site of sites) expect(await read(site)).toContain(OLD);

  const visitors = startVisitors(nginx.port, 8);
  await visitors.more(200);
  // As the loop of compose.yaml: each is replaced when the one before it is healthy.
  for (const [at, { port, data, end }] of sites.entries()) {
    expect(await end('TERM')).toBe(0);
    const replacement = await start(next, { port, data, env });
    sites[at] = replacement;
    expect(await read(replacement)).toContain(NEW);
    await visitors.more(100);
  }
  const answers = await visitors.end();
  expect(findUnexpected(answers)).toBe('');
  const posts = answers.filter(({ what }) => what.startsWith('POST')).length;
  console.log(`containers: ${answers.length} requests, ${posts} of them sign-ups`);
  expect(posts).toBeGreaterThan(20);
  expect(await readSignUps('', postgres.url)).toHaveLength(posts);
}, 600_000);
