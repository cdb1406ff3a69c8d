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

/** Licences of packages in a running site: none requires the source of the site to be published. */
const RUNS = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib', 'OFL-1.1'];
/** Libraries in separate files that operators can replace: libvips, used by sharp. */
const LINKED = ['LGPL-3.0-or-later'];
/** Licences of packages that only build or test. They are not distributed. */
const BUILDS = ['MPL-2.0', 'CC-BY-4.0', 'CC0-1.0', 'Python-2.0', 'Unlicense'];

/** Checks an SPDX expression: one of the alternatives, or all of the parts. */
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

test('every package that runs has a licence for a brand’s site, every other one has a licence for tools', () => {
  const allowed = ({ dev, name }: Locked & { name: string }) => [
    ...RUNS,
    ...(name.startsWith('@img/') ? LINKED : []),
    ...(dev ? BUILDS : []),
  ];
  expect(refused('.', allowed)).toEqual([]);
  for (const folder of ['site/assets', 'bench/lighthouse'])
    expect(refused(folder, () => [...RUNS, ...LINKED, ...BUILDS])).toEqual([]);
});

test('NOTICES.md names every package that the site is built on', () => {
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

test('no lock file contains download addresses of packages', () => {
  for (const folder of ['.', 'site/assets', 'bench/lighthouse'])
    expect(locked(folder).filter(({ resolved }) => resolved)).toEqual([]);
});

test('npm runs no install scripts of packages', () => {
  expect(execFileSync('npm', ['config', 'get', 'ignore-scripts'], { encoding: 'utf8' }).trim()).toBe('true');
});
