import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { startRecordingCms } from '../support/recording-cms.ts';
import { getStorePath, readSignUps } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { folder, forTest, undo } = undoAfterEach();

test('R30: a sign-up is on disk before it is confirmed, and unreadable without the key', async () => {
  const data = folder();
  const site = await startSite({ DATA_DIR: data, TRUST_PROXY: 'true' });
  const id = randomUUID();
  expect(await (await sendSignUp(site.url, createSignUp(id))).json()).toMatchObject({ ok: true });
  await site.stop('SIGKILL');
  const onDisk = ['', '-wal'].map((end) => readFileSync(getStorePath(data) + end, 'latin1')).join('');
  expect(onDisk).toContain(id);
  expect(onDisk).not.toMatch(/Ada|ada@/);
  expect(await readSignUps(data)).toMatchObject([{ id, state: 'waiting', answers: { input_2: 'ada@example.org' } }]);
  expect(site.output()).not.toMatch(/Ada|ada@/);
  expect(statSync(join(data, 'secret-key')).mode & 0o777).toBe(0o600);
});

test('R30: fifty sign-ups in sequence are fifty fsyncs', (context) => {
  if (spawnSync('strace', ['-V']).status !== 0) return context.skip('there is no strace here');
  const data = folder();
  const calls = ['-f', '-e', 'trace=fsync,fdatasync,write', '-o', join(data, 'trace')];
  const writer = [process.execPath, 'tests/support/serial-writer.ts', data];
  const { status } = spawnSync('strace', [...calls, ...writer]);
  if (status !== 0) return context.skip('nothing may be traced here');
  const [, after = ''] = readFileSync(join(data, 'trace'), 'utf8').split('"begin');
  const [during = ''] = after.split('"done');
  expect(during.match(/\bf(?:data)?sync\(/g)?.length).toBeGreaterThanOrEqual(50);
});

/**
 * Mounts a small disk.
 * @returns `false` if this system allows no mounts.
 */
function mount(path: string): boolean {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status !== 0) return false;
  undo(() => spawnSync('umount', ['-l', path]));
  return true;
}

test('R30: on a full disk no sign-up is confirmed or lost; with space again it recovers without a restart', async (context) => {
  const data = folder();
  if (!mount(data)) return context.skip('no file system can be mounted here');
  const site = await forTest(startSite({ DATA_DIR: data, TRUST_PROXY: 'true' }));
  const thanked: string[] = [];
  const post = async () => {
    const id = randomUUID();
    const { status } = await sendSignUp(site.url, createSignUp(id));
    if (status === 200) thanked.push(id);
    return status;
  };
  expect(await post()).toBe(200);
  spawnSync('sh', ['-c', `head -c 2000000 /dev/zero > ${data}/ballast`]);
  const isReady = async (what: string) => (await fetch(`${site.url}/readyz${what}`)).status;
  const statuses = new Set<number>();
  for (let sent = 0; sent < 60 && !statuses.has(503); sent++) statuses.add(await post());
  expect(statuses).toContain(503);
  expect((await fetch(`${site.url}/`)).status).toBe(200);
  // The store is readable but not ready for writes. Pages are ready.
  await expect.poll(() => isReady('/sign-ups')).toBe(503);
  expect(await Promise.all([isReady(''), isReady('/pages')])).toEqual([503, 200]);
  rmSync(join(data, 'ballast'));
  await expect.poll(post, { timeout: 15_000 }).toBe(200);
  await expect.poll(() => isReady('')).toBe(200);
  const kept = (await readSignUps(data)).map(({ id }) => id);
  expect(thanked.filter((id) => !kept.includes(id))).toEqual([]);
});

test('R30: a separate worker delivers sign-ups that waited for WordPress, and a stop completes its work', async () => {
  const data = folder();
  const site = await startSite({ DATA_DIR: data, TRUST_PROXY: 'true' });
  const ids = Array.from({ length: 30 }, () => randomUUID());
  for (const id of ids) expect((await sendSignUp(site.url, createSignUp(id))).status).toBe(200);
  await site.stop();
  const cms = await forTest(startRecordingCms({ faultEvery: 4 }));
  const worker = spawn(process.execPath, ['packages/server/src/commands/run.ts', 'sign-ups', 'work'], {
    env: { PATH: process.env.PATH, DATA_DIR: data, ...cms.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => worker.once('exit', resolve));
  const stopping = new Promise<void>((resolve) => {
    worker.stdout.on('data', (data) => String(data).includes('"stopping"') && resolve());
  });
  undo(() => worker.kill('SIGKILL'));
  await expect.poll(() => cms.received.length, { timeout: 30_000 }).toBeGreaterThan(3);
  // As Ctrl+C in a terminal: from the terminal and from the command that started the worker.
  worker.kill('SIGINT');
  await stopping;
  worker.kill('SIGINT');
  expect(await ended).toBe(0);
  const between = await readSignUps(data);
  expect(between.filter(({ state }) => !['waiting', 'delivered'].includes(state))).toEqual([]);
  expect(between.filter(({ id, state }) => state === 'delivered' && !cms.entries.has(id))).toEqual([]);

  await forTest(startSite({ DATA_DIR: data, ...cms.env }));
  const delivered = async () => (await readSignUps(data)).filter(({ state }) => state === 'delivered').length;
  await expect.poll(delivered, { timeout: 60_000, interval: 250 }).toBe(30);
  expect([...cms.entries].sort()).toEqual(ids.sort());
  // Without a kill no accepted sign-up is sent again.
  expect(cms.confirmedAgain).toBe(0);
});
