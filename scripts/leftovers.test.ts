import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRunFolder, removeLeftovers } from './lib/leftovers.mjs';

/** A process with its own run folder that runs until it is killed. */
function startForever(folder: string) {
  const child = spawn(process.execPath, ['-e', 'console.log("there"); setInterval(() => {}, 1000)'], {
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  return { child, ended, there: new Promise((resolve) => child.stdout.once('data', resolve)) };
}

test('a run without leftovers reports none and removes its folder', async () => {
  const folder = createRunFolder();
  expect(statSync(folder).mode & 0o7777, 'as /tmp').toBe(0o1777);
  expect(await removeLeftovers(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

test('leftover files, folders and processes are listed and removed', async () => {
  const folder = createRunFolder();
  mkdirSync(join(folder, 'pillion-site'));
  writeFileSync(join(folder, 'core'), 'x');
  const { child, ended, there } = startForever(folder);
  await there;
  const left = await removeLeftovers(folder, 0);
  expect(left).toHaveLength(3);
  expect(left[0]).toMatch(new RegExp(`^process ${child.pid}: .*setInterval`));
  expect(left.slice(1).sort()).toEqual(['file: core', 'file: pillion-site']);
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(folder)).toBe(false);
});

test('processes that are about to end are given time', async () => {
  const folder = createRunFolder();
  const { child, there } = startForever(folder);
  await there;
  const left = removeLeftovers(folder);
  child.kill();
  expect(await left).toEqual([]);
});
