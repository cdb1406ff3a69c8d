import { expect, test } from 'vitest';
import { billOfMaterials } from './sbom.mjs';

test('the bill of materials lists all packages that run, including those that tools share, and no tool', () => {
  const names = billOfMaterials().components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['react', 'react-dom', 'zod', 'pg', 'sharp', 'hono', 'htmlparser2']));
  expect(names.filter((name) => ['vite', 'vitest', 'knip', 'typescript'].includes(name))).toEqual([]);
});
