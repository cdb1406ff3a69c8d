import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURE } from '../support/fixture.ts';
import { findFreePort, startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { folder } = undoAfterEach();

/** Starts the server and waits until it ends. */
async function startAndEnd(env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ['build/server/main.js'], {
    cwd: FIXTURE,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, printed };
}

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** Processes of a group, as the kernel lists them. */
const inGroup = (group: number): number[] => {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, pgid]) => (pgid === group ? [pid] : []));
};

/** The path of an empty file in a new folder. */
function emptyFile(name: string): string {
  const file = join(folder(), name);
  writeFileSync(file, '');
  return file;
}

/** A folder in which Node's recursive mkdir never returns. */
const BELOW_PROC = '/proc/pillion/data';

test.each([
  [
    'in place of a file',
    () => join(emptyFile('file'), 'data'),
    /^.*point DATA_DIR to a folder this user may write to.*$/,
  ],
  ['below /proc', () => BELOW_PROC, /^DATA_DIR \/proc\/pillion\/data cannot be written \(ENOENT\).*$/],
  ['with a corrupt key file', () => dirname(emptyFile('secret-key')), /^.*put it back, or set SECRET_KEY.*$/],
])('a data folder %s ends the start with one sentence that says what to do', async (_, data, sentence) => {
  const { code, printed } = await startAndEnd({ DATA_DIR: data() });
  expect(code).toBe(1);
  expect(printed.trim()).toMatch(sentence);
});

test('an invalid variable ends the start, with what is expected', async () => {
  const { code, printed } = await startAndEnd({ PORT: 'http', DATA_DIR: folder() });
  expect(code).toBe(1);
  expect(printed).toContain('PORT is "http": expected a port number');
});

test('a taken port ends the start with one sentence that names it and says what to do', async () => {
  const port = await findFreePort();
  const holder = createServer().listen(port, '127.0.0.1');
  const { code, printed } = await startAndEnd({ PORT: String(port), DATA_DIR: folder() });
  holder.close();
  expect(code).toBe(1);
  expect(printed.trim()).toBe(`Port ${port} on 127.0.0.1 is in use: stop the program that listens there, or set PORT.`);
});

const ending = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve));

/** Starts `npm start` in a separate process group and waits until it serves. */
async function startWithNpm() {
  const port = await findFreePort();
  const child = spawn('npm', ['start'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: folder() },
  });
  const group = child.pid ?? 0;
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data));
  await expect.poll(() => printed, { timeout: 60_000 }).toContain(`http://127.0.0.1:${port}`);
  const members = inGroup(group);
  expect(members.length).toBeGreaterThan(1);
  return { child, group, members };
}

test.each([
  ['a supervisor ends only npm', 1],
  ['its group ends', -1],
])('no process of npm start is left when %s', async (_, sign) => {
  const { child, group, members } = await startWithNpm();
  const ended = ending(child);
  process.kill(sign * group, 'SIGTERM');
  await ended;
  await expect.poll(() => members.filter(isAlive), { timeout: 15_000 }).toEqual([]);
});

test('npm start fails when its server does', async () => {
  const { child, members } = await startWithNpm();
  const ended = ending(child);
  process.kill(Math.max(...members), 'SIGKILL');
  expect(await ended).toBe(1);
});

/** A project with only the scripts and no installed packages. */
function bareProject() {
  const project = folder();
  for (const name of ['scripts', 'package.json', 'package-lock.json', '.npmrc'])
    cpSync(name, join(project, name), { recursive: true });
  return project;
}

test('a first start without network ends with one sentence within 45 s', async () => {
  const project = bareProject();
  const { status, stderr } = spawnSync(process.execPath, ['scripts/launch.mjs', 'start'], {
    cwd: project,
    encoding: 'utf8',
    timeout: 45_000,
    // No server listens on the discard port.
    env: { PATH: process.env.PATH, HOME: project, npm_config_registry: 'http://127.0.0.1:9' },
  });
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(
    'The packages could not be installed because npm could not reach the registry. Try again online.',
  );
});

test('locked work waits for its turn, but not for a killed process', async () => {
  const project = bareProject();
  mkdirSync(join(project, '.cache'));
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(join(project, '.cache/lock'), `${hostname()} ${gone}`);
  const work = `
    import { appendFileSync } from 'node:fs';
    import { withLock } from './scripts/lib/lock.mjs';
    await withLock(async () => {
      appendFileSync('said', 'in ');
      await new Promise((resolve) => setTimeout(resolve, 50));
      appendFileSync('said', 'out ');
    });`;
  const workers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', work], { cwd: project, stdio: 'inherit' }),
  );
  expect(await Promise.all(workers.map(ending))).toEqual([0, 0, 0, 0]);
  expect(readFileSync(join(project, 'said'), 'utf8')).toBe('in out '.repeat(4));
  expect(existsSync(join(project, '.cache/lock'))).toBe(false);
});

test('a start with nothing to do writes nothing outside DATA_DIR', async () => {
  const before = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout;
  const mark = join(folder(), 'mark');
  writeFileSync(mark, '');
  const site = await startSite();
  await (await fetch(`${site.url}/`)).text();
  await site.stop();
  // Parallel tests install their WordPress in `.cache/wordpress` and build sites with styles in `.pillion`. A started site
  // uses neither.
  const others = [
    ...['./.git/*', './test-results/*', './node_modules/.vite*', './node_modules/.pillion/*'],
    './.cache/wordpress/*',
  ];
  const but = others.flatMap((path) => ['-not', '-path', path]);
  const newer = spawnSync('find', ['.', '-newer', mark, '-type', 'f', ...but], { encoding: 'utf8' });
  expect(newer.stdout.trim()).toBe('');
  expect(spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout).toBe(before);
});

test('six sites start from one folder at once, each with its own environment', async () => {
  const sites = await Promise.all(Array.from({ length: 6 }, (_, index) => startSite({ DEPLOY_ENV: `site-${index}` })));
  const names = await Promise.all(
    sites.map(async ({ url }) => /data-env="([^"]+)"/.exec(await (await fetch(url)).text())?.[1]),
  );
  await Promise.all(sites.map((site) => site.stop()));
  expect(names).toEqual(sites.map((_, index) => `site-${index}`));
});
