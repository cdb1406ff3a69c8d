import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

interface Manifest {
  name: string;
  exports?: Record<string, string>;
}

const kinds = ['*.ts', '*.tsx', '*.mjs', '*.css', '*tsconfig.site.json'];
const listed = execFileSync('git', ['ls-files', '-z', ...kinds], { encoding: 'utf8' });
const files = listed.split('\0').filter((file) => existsSync(file));
const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
/** Each module that some file names, such as `@pillion/lib/limit.ts`. */
const named = new Set([...code.matchAll(/['"`](@pillion\/[\w-]+\/[\w./-]+)['"`]/g)].map(([, name = '']) => name));

const manifests = globSync('{packages/*,plugins/*}/package.json').map((file) => ({
  folder: dirname(file),
  ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest),
}));
const packages = manifests.flatMap(({ exports, ...rest }) => (exports ? [{ exports, ...rest }] : []));

test('each package exports existing files that some code names, one by one', () => {
  expect(packages).toHaveLength(9);
  for (const { name, folder, exports } of packages) {
    const paths = Object.keys(exports).filter((path) => path !== './package.json');
    expect(
      paths.filter((path) => !named.has(join(name, path))),
      name,
    ).toEqual([]);
    expect(
      Object.values(exports).filter((file) => !existsSync(join(folder, file))),
      name,
    ).toEqual([]);
  }
});
