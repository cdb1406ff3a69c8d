import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compactGlsl, renameGlsl } from './glsl.mjs';

const FOLDER = 'site/scene/shaders';
const shaders = readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')] as const);

test('comments and idle space go, lines of the preprocessor stay lines', () => {
  const source =
    '#version 300 es\n// why\nfloat f(float x) { /* how */ return x * 1.0 + 0.50; }\n#define A(b) b\nint g;\n';
  expect(compactGlsl(source)).toBe('#version 300 es\nfloat f(float x){return x*1.+.5;}\n#define A(b)b\nint g;');
});

test('a vector of plain figures is written in whole numbers, anything else keeps its points', () => {
  expect(compactGlsl('a = vec3(1.0, -2.0, 0.5) + vec2(x, 1.0).x + max(1.0, 2.0);')).toBe(
    'a=vec3(1,-2,.5)+vec2(x,1.).x+max(1.,2.);',
  );
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

test('own names grow short, alike in every shader; what others ask for and what GLSL brings stays', () => {
  const vertex =
    'in vec2 aPlace;out vec3 vWorld;void main(){float wide=1.,tall=sin(wide);vWorld=vec3(aPlace,wide*tall);}';
  const fragment =
    'uniform float uBase;in vec3 vWorld;float lift(float far){return far*uBase+1e-5;}void main(){o=lift(vWorld.x);}';
  const [short = '', other = ''] = renameGlsl([vertex, fragment], new Set(['aPlace', 'uBase']));
  const shared = /out vec3 (\w);/.exec(short)?.[1];
  expect(shared).toBeDefined();
  expect(other).toContain(`in vec3 ${shared};`);
  expect(other).toContain(`(${shared}.x)`);
  expect(other).toContain('uniform float uBase;');
  expect(other).toContain('+1e-5;');
  expect(short).toMatch(
    /^in vec2 aPlace;out vec3 \w;void main\(\)\{float (\w)=1\.,(\w)=sin\(\1\);\w=vec3\(aPlace,\1\*\2\);\}$/,
  );
});

test('no two names of one shader become the same', () => {
  const sources = shaders.map(([, source]) => compactGlsl(source));
  const renamed = renameGlsl(sources, new Set());
  sources.forEach((source, i) => {
    const words = (text: string) => new Set(text.match(/(?<![\w.])[A-Za-z_]\w*/g)).size;
    expect(words(renamed[i] ?? '')).toBe(words(source));
  });
});
