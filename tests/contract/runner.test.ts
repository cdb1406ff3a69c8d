import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { rest } from './wordpress.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pillion-runner-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const colophon = async (site: RunningWordPress) => (await rest('gusto/options', { site })).body.footer.colophon;

test('edits survive a restart, and addresses change with the port', async () => {
  const directory = join(folder, 'kept');
  const first = await startWordPress({ directory });
  const pillion_strings = { footer: { colophon: 'Made at dusk' } };
  await rest('wp/v2/settings', { site: first, as: 'admin', body: { pillion_strings } });
  await first.stop();

  const second = await startWordPress({ directory });
  try {
    expect(await colophon(second)).toBe('Made at dusk');
    expect(second.url).not.toBe(first.url);
    for (const path of ['gusto/options', 'gusto/nav/menu-locations', 'wp/v2/pages?per_page=50']) {
      const text = JSON.stringify((await rest(path, { site: second })).body);
      expect(text).toContain(`${second.url}/`);
      expect(text).not.toContain(`${first.url}/`);
    }
  } finally {
    await second.stop();
  }

  const third = await startWordPress({ directory, fresh: true });
  onTestFinished(async () => void (await third.stop()));
  expect(await colophon(third)).toContain('All Rights Reserved');
});

test('no client can download its database or the files next to it', async () => {
  const site = await startWordPress({ directory: join(folder, 'shut') });
  onTestFinished(async () => void (await site.stop()));
  for (const path of [
    '/../site.json',
    '/%2e%2e/salt',
    '/wp-content/../../site.json',
    '/.ht.sqlite',
    '/wp-content/.hidden',
  ]) {
    const response = await fetch(site.url + path);
    expect([path, response.status === 200 && /key|[0-9a-f]{64}/.test(await response.text())]).toEqual([path, false]);
  }
});

/** Ids of a process and its descendants, itself first. */
function family(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  return [pid, ...children.flatMap(family)];
}

test('leaves no process behind after stop', async () => {
  const script = `
    import { startWordPress } from ${JSON.stringify(join(import.meta.dirname, '../../scripts/wordpress.mjs'))};
    const site = await startWordPress({ directory: ${JSON.stringify(join(folder, 'ended'))} });
    process.once('SIGTERM', async () => { await site.stop(); process.exit(0); });
    console.log('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const pids = family(child.pid ?? 0);
  expect(pids.length).toBeGreaterThan(5);
  child.kill('SIGTERM');
  await vi.waitUntil(() => !pids.some((pid) => existsSync(`/proc/${pid}`)), { timeout: 15_000 });
});

test('leaves no process behind after stop, even when its PHP server was killed', async () => {
  const others = new Set(family(process.pid));
  const site = await startWordPress({ directory: join(folder, 'killed') });
  const [server = 0, ...workers] = family(process.pid).filter((pid) => !others.has(pid));
  expect(workers.length).toBeGreaterThan(1);
  process.kill(server, 'SIGKILL');
  await site.ended;
  await site.stop();
  await vi.waitUntil(() => !workers.some((pid) => existsSync(`/proc/${pid}`)), { timeout: 15_000 });
});

test('a port in use is reported in one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startWordPress({ port, directory: join(folder, 'never') })).rejects.toThrow(
    `Port ${port} is in use: stop the program that listens there, or set WORDPRESS_PORT to another port.`,
  );
  server.close();
});

test('a folder with other content is left unchanged', async () => {
  await expect(startWordPress({ directory: import.meta.dirname })).rejects.toThrow(
    'contains other files than a local WordPress',
  );
  expect(existsSync(import.meta.filename)).toBe(true);
});
