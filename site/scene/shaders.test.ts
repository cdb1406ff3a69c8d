import { readdirSync, readFileSync } from 'node:fs';
import { minify } from 'vite-plugin-glsl';
import { expect, test } from 'vitest';

const FOLDER = 'site/scene/shaders';
const shaders = readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')] as const);

/** Words, numbers and signs of a shader. `- -` is two signs, `--` is one. */
const tokens = (source: string) =>
  source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').match(/\d*\.\d+|\d+\.?\d*|\w+|\+\+|--|[^\s\w]/g);

test.each(shaders)('%s has the same tokens after it is minified', (_, source) => {
  expect(tokens(minify(source))).toEqual(tokens(source));
});

test.each(shaders)('%s reads its noise a whole number of times per tile', (_, source) => {
  // A position along the road must be a share of the tile. In metres, a seam would show at the tile's end.
  expect(source.match(/texture\(uNoise,[^;]*vWorld\.z/g)).toBeNull();
});
