import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PATHS = ['site', 'sites', 'tests/site'].flatMap((folder) =>
  ['ts', 'tsx', 'css'].map((ending) => `${folder}/**.${ending}`),
);
const files = execFileSync('git', ['ls-files', '-z', ...PATHS], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file && !/\.(?:test|spec)\.|^site\/(?:tests|assets)\//.test(file));

test('a site imports only modules that the contract lists', () => {
  const contract = readFileSync('docs/reference/contract.md', 'utf8');
  const imports = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|@import|import) '(@pillion\/[^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((name) => !contract.includes(`\`${name}\``))).toEqual([]);
});
