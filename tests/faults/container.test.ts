import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { formOf, send } from '../support/crowd.ts';
import { freePort } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

// The limit is high because removing thousands of package files takes time.
const { undo, folder } = undoAfterEach(120_000);

interface Step {
  does: string;
  what: string;
}

/** The steps in the container file, by stage. */
const STAGES: Step[][] = readFileSync('deploy/container/Containerfile', 'utf8')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) =>
    stage
      .split('\n')
      .filter((line) => /^[A-Z]+ /.test(line))
      .map((line) => ({ does: line.slice(0, line.indexOf(' ')), what: line.slice(line.indexOf(' ') + 1) })),
  );

/** The Node that runs the tests replaces the image's. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

/** Uses the environment of this machine, where npm finds its registry, as a build uses its host's. */
async function sh(command: string, directory: string, env: Record<string, string> = {}): Promise<string> {
  const { NODE_ENV: _, ...own } = process.env;
  const child = spawn('sh', ['-c', command], { cwd: directory, env: { ...own, PATH, ...env } });
  undo(() => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [out, said, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect([command, status, status === 0 ? '' : out + said]).toEqual([command, 0, '']);
  return out;
}

/** The files that `COPY . .` copies: `.dockerignore` excludes ignored files and git's directory. */
const checkedOut = async () =>
  (await sh('git ls-files --cached --others --exclude-standard', '.')).split('\n').filter(existsSync);

async function copyFromCheckout(what: string, to: string): Promise<void> {
  for (const file of what === '. .' ? await checkedOut() : what.split(' ').slice(0, -1)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(file, join(to, file), { recursive: true });
  }
}

test('the container file makes a site from a bare copy that serves pages, takes a sign-up and stops', async () => {
  const place = folder();
  const [build, final, data] = ['build', 'final', 'data'].map((name) => join(place, name)) as [string, string, string];
  for (const made of [build, final, data]) mkdirSync(made);
  const [first = [], last = []] = STAGES;
  for (const { does, what } of first) {
    if (does === 'COPY') await copyFromCheckout(what, build);
    if (does === 'RUN') await sh(what, build);
  }
  for (const { does, what } of last) {
    const named = /^--from=build \/srv\/pillion\/(\S+) /.exec(what)?.[1];
    if (does === 'COPY' && named)
      cpSync(join(build, named), join(final, named), { recursive: true, verbatimSymlinks: true });
  }
  rmSync(build, { recursive: true });
  expect(existsSync(join(final, 'node_modules/vite'))).toBe(false);

  const said = (does: string) => last.find((step) => step.does === does)?.what ?? '';
  const port = String(await freePort());
  const set = Object.fromEntries(
    said('ENV')
      .split(' ')
      .map((pair) => pair.split('=')),
  );
  const env = { PATH, ...set, HOST: '127.0.0.1', PORT: port, DATA_DIR: data };
  const [program = '', ...args] = JSON.parse(said('CMD')) as string[];
  const server = spawn(program, args, { cwd: final, env, stdio: ['ignore', 'pipe', 'pipe'] });
  undo(() => server.kill('SIGKILL'));
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  const health = said('HEALTHCHECK').replace(/^.*? CMD /, '');
  const isHealthy = () => spawnSync('sh', ['-c', health], { cwd: final, env }).status === 0;
  await expect.poll(isHealthy, { timeout: 30_000 }).toBe(true);

  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</h1>')]);
  const id = randomUUID();
  expect((await send(url, formOf(id))).status).toBe(200);
  // The image contains the commands too.
  expect(await sh('node scripts/sign-ups.mjs list', final, env)).toContain(id);
  const doctor = spawnSync('node', ['scripts/doctor.mjs'], { cwd: final, env, encoding: 'utf8' });
  expect(doctor.stdout + doctor.stderr).toContain('CONTENT_SOURCE is “bundled”');
  expect((await fetch(`${url}/share/nothing.jpg`)).status).toBe(404);
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
  // A stopped server is not healthy.
  expect(isHealthy()).toBe(false);
}, 600_000);
