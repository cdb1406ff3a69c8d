import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  license?: string;
  dev?: boolean;
  resolved?: string;
}

const locked = (folder: string) =>
  Object.entries(JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')).packages as Record<string, Locked>)
    .filter(([path]) => path !== '')
    .map(([path, about]) => ({ name: path.replace(/^.*node_modules\//, ''), ...about }));

/** What may go into a site that a brand runs: nothing that asks for the source of what is built with it. */
const RUNS = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib', 'OFL-1.1'];
/** A library in a file of its own, which whoever runs the site may replace: libvips under sharp. */
const LINKED = ['LGPL-3.0-or-later'];
/** What only builds or tests: nothing of it is handed on. */
const BUILDS = ['MPL-2.0', 'CC-BY-4.0', 'CC0-1.0', 'Python-2.0'];

/** An SPDX expression: one of two, or all of several. */
function isAllowed(expression: string | undefined, allowed: readonly string[]): boolean {
  if (!expression) return false;
  const plain = expression.replace(/[()]/g, '');
  const alternatives = plain.split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((licence) => allowed.includes(licence)));
}

const refused = (folder: string, allowed: (about: Locked & { name: string }) => readonly string[]) =>
  locked(folder)
    .filter((about) => !isAllowed(about.license, allowed(about)))
    .map(({ name, license }) => `${name}: ${license ?? 'no licence'}`);

test('every package that runs has a licence that a brand’s site may carry, every other one that a tool may have', () => {
  const allowed = ({ dev, name }: Locked & { name: string }) => [
    ...RUNS,
    ...(name.startsWith('@img/') ? LINKED : []),
    ...(dev ? BUILDS : []),
  ];
  expect(refused('.', allowed)).toEqual([]);
  for (const folder of ['site/assets', 'bench/lighthouse'])
    expect(refused(folder, () => [...RUNS, ...LINKED, ...BUILDS])).toEqual([]);
});

test('every package that the site is built on is named in NOTICES.md', () => {
  const dependencies = globSync('packages/*/package.json').flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(file, 'utf8')).dependencies ?? {}).filter(
      (name) => !name.startsWith('@pillion/'),
    ),
  );
  expect(dependencies).toContain('react-dom');
  const notices = readFileSync('NOTICES.md', 'utf8');
  const named = [...notices.matchAll(/^\| ([^|`]+) \|/gm)].flatMap(([, names = '']) => names.split(/,\s*/));
  expect(dependencies.filter((name) => !named.includes(name))).toEqual([]);
});

test('no lock file names where a package was downloaded', () => {
  for (const folder of ['.', 'site/assets', 'bench/lighthouse'])
    expect(locked(folder).filter(({ resolved }) => resolved)).toEqual([]);
});

test('npm runs no install scripts of packages', () => {
  expect(execFileSync('npm', ['config', 'get', 'ignore-scripts'], { encoding: 'utf8' }).trim()).toBe('true');
});
