import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { preprocessCSS, resolveConfig } from 'vite';
import { expect, test } from 'vitest';

/** Class names of all CSS modules as a build writes them: `<path> <class>` → name. */
async function classNames(build: { ssr?: boolean }) {
  const config = await resolveConfig({ build, logLevel: 'error' }, 'build', 'production', 'production');
  const files = globSync('packages/*/src/**/*.module.css');
  const modules = await Promise.all(
    files.map(async (file) => {
      const { modules = {} } = await preprocessCSS(readFileSync(file, 'utf8'), resolve(file), config);
      return Object.entries(modules).map(([name, built]) => [`${file} ${name}`, built] as const);
    }),
  );
  return new Map(modules.flat());
}

test('client and server builds give CSS module classes the same unique names', async () => {
  const names = await classNames({});
  expect(names.size).toBeGreaterThan(50);
  expect(await classNames({ ssr: true })).toEqual(names);
  expect(new Set(names.values()).size).toBe(names.size);
});

/** `margin-left: 0`, `right: 0`, and four values of which the second and the last differ. */
const PHYSICAL_SIDE =
  /\b(?:left|right)(?:-\w+)*: .*|\b(?:text-align|float|clear): (?:left|right)\b|\b(?:margin|padding): [^\s(]+ ([^\s(]+) [^\s(]+ (?!\1;)[^\s(]+;/g;

test('styles of the plugin fit right-to-left screens, because they name no left or right side', () => {
  const files = globSync('plugins/pillion/{assets,blocks}/**/*.css');
  expect(files.length).toBeGreaterThan(4);
  expect(files.flatMap((file) => readFileSync(file, 'utf8').match(PHYSICAL_SIDE) ?? [])).toEqual([]);
});
