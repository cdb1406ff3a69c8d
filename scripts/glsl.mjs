// Shaders are written to be read and sent without what only readers need.
import { readFileSync } from 'node:fs';

/** Takes comments and idle space out of GLSL; lines of the preprocessor stay lines. */
export function compactGlsl(source) {
  return (
    source
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => (line.startsWith('#') ? `\n${line}\n` : `${compactLine(line)} `))
      .join('')
      .replace(/ *\n+/g, '\n')
      // Two signs would grow into one: `- -` is no `--`.
      .replace(/([+-]) (?=\1)/g, '$1\0')
      .replace(/([;{}(),=+*/<>?:-]) | (?=[{}()=+*/<>?:-])/g, '$1')
      .replaceAll('\0', ' ')
      .replace(/^\n/, '')
  );
}

const compactLine = (line) =>
  line
    .replace(/\s+/g, ' ')
    .replace(/\b(\d+)\.0+\b/g, '$1.')
    .replace(/\b0\.(?=\d)/g, '.')
    .replace(/(\.\d*?[1-9])0+\b/g, '$1');

const SHADER = /\.glsl\?raw$/;

/** A Vite plugin: `?raw` imports of shaders are compact in the build. */
export const glsl = () => ({
  name: 'glsl',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!SHADER.test(id)) return null;
    return `export default ${JSON.stringify(compactGlsl(readFileSync(id.replace('?raw', ''), 'utf8')))}`;
  },
});
