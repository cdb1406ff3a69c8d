import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compactGlsl } from './glsl.mjs';

const FOLDER = 'app/engines/scene/shaders';
const shaders = readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')] as const);

test('comments and idle space go, lines of the preprocessor stay lines', () => {
  const source =
    '#version 300 es\n// why\nfloat f(float x) { /* how */ return x * 1.0 + 0.50; }\n#define A(b) b\nint g;\n';
  expect(compactGlsl(source)).toBe('#version 300 es\nfloat f(float x){return x*1.+.5;}\n#define A(b)b\nint g;');
});

test('signs that would grow together stay apart', () => {
  expect(compactGlsl('a = b - -c; d = e + +f;')).toBe('a=b- -c;d=e+ +f;');
});

/** A shader's words and signs, numbers by their value. */
const tokens = (source: string) =>
  source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .match(/\d*\.\d+|\d+\.?\d*|\w+|[^\s\w]/g)
    ?.map((token) => (/^[\d.]+$/.test(token) && token !== '.' ? Number(token) : token));

test.each(shaders)('%s means the same when it is compact', (_, source) => {
  expect(tokens(compactGlsl(source))).toEqual(tokens(source));
});

test.each(shaders)('%s reads its noise a whole number of times per tile', (_, source) => {
  // A place along the road must come as a share of the tile: metres would show a seam where the tile begins again.
  expect(source.match(/texture\(uNoise,[^;]*vWorld\.z/g)).toBeNull();
});
