import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { findFreePort } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { undo, folder } = undoAfterEach();

const unit = (kind: string) => readFileSync(`deploy/systemd/pillion@.${kind}`, 'utf8');

/** Both units as instance 3001. Folders of this machine replace those of an installation. */
function installed(): string {
  const directory = folder();
  const here = unit('service').replaceAll('/srv/pillion', process.cwd()).replaceAll('/usr/bin/node', process.execPath);
  for (const name of ['pillion@', 'pillion@3001']) {
    writeFileSync(join(directory, `${name}.service`), here);
    writeFileSync(join(directory, `${name}.socket`), unit('socket'));
  }
  return directory;
}

const analyze = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
};

test('systemd accepts the units and rates the server’s exposure as low', () => {
  const directory = installed();
  const files = ['service', 'socket'].map((kind) => join(directory, `pillion@3001.${kind}`));
  expect(analyze('verify', '--man=no', ...files)).toEqual({ status: 0, said: '' });
  // The scale is 0 to 10. systemd rates values under 2 as OK.
  expect(analyze('security', '--offline=true', '--threshold=20', files[0] ?? '').status).toBe(0);
});

/** Names of the calls in a line of `SystemCallFilter=`, including nested groups. */
function callsOf(group: string, groups: Map<string, string[]>): string[] {
  if (!group.startsWith('@')) return [group];
  return (groups.get(group) ?? []).flatMap((one) => callsOf(one, groups));
}

function allowedCalls(): Set<string> {
  const groups = new Map<string, string[]>();
  let last: string[] = [];
  for (const line of analyze('syscall-filter').said.split('\n')) {
    if (line.startsWith('@')) {
      last = [];
      groups.set(line.trim(), last);
    } else if (/^ {4}[@\w]/.test(line)) last.push(line.trim());
  }
  const allowed = new Set<string>();
  for (const [, not, names] of unit('service').matchAll(/^SystemCallFilter=(~?)(.*)$/gm))
    for (const call of (names ?? '').split(' ').flatMap((name) => callsOf(name, groups)))
      if (not) allowed.delete(call);
      else allowed.add(call);
  return allowed;
}

test('the server starts, shows pages, draws, takes a sign-up and stops with the calls that its unit allows', async () => {
  const [data, port] = [folder(), await findFreePort()];
  const trace = join(data, 'calls');
  const allowed = allowedCalls();
  expect(allowed.size).toBeGreaterThan(200);
  const server = spawn(
    'strace',
    ['-f', '-qq', '-o', trace, '-e', 'signal=none', '-e', 'trace=all', '-c', process.execPath, 'build/server/main.js'],
    {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), DATA_DIR: data },
      stdio: 'ignore',
      detached: true,
    },
  );
  undo(() => server.kill('SIGKILL'));
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  const html = await (await fetch(`${url}/privacy-policy/`)).text();
  const drawn = /property="og:image" content="[^"]*?(\/(?:share|media)\/[^"]+)"/.exec(html)?.[1] ?? '';
  expect((await fetch(url + drawn)).status).toBe(200);
  expect((await sendSignUp(url, createSignUp(randomUUID()))).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  process.kill(-(server.pid ?? 0), 'SIGTERM');
  await ended;
  const called = [...readFileSync(trace, 'utf8').matchAll(/^ *[\d.]+ .* (\w+)$/gm)].map(([, name]) => name ?? '');
  expect(called).toContain('epoll_pwait');
  expect(called.filter((name) => name !== 'total' && name !== 'syscall' && !allowed.has(name))).toEqual([]);
});
