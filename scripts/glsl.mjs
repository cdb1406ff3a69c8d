// Shaders are written to be read and sent without what only readers need.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Takes comments and idle space out of GLSL; lines of the preprocessor stay lines.
 * @param {string} source
 */
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

/** @param {string} line */
const compactLine = (line) =>
  line
    .replace(/\s+/g, ' ')
    .replace(/\b(\d+)\.0+\b/g, '$1.')
    .replace(/\b0\.(?=\d)/g, '.')
    .replace(/(\.\d*?[1-9])0+\b/g, '$1')
    // A vector of plain figures takes whole numbers too.
    .replace(/\bvec\d\([\d., -]+\)/g, (vector) => vector.replace(/(\d)\.(?!\d)/g, '$1'));

const TYPE = '(?:float|u?int|bool|[iu]?vec[234]|mat[234]|sampler2D)';
const DECLARED = new RegExp(`\\b${TYPE}\\s+([A-Za-z]\\w*)`, 'g');
const IS_TYPE = new RegExp(`^${TYPE}$`);
/** A name that is no swizzle and no part of a number. */
const WORD = /(?<![\w.])[A-Za-z_]\w*/g;

/**
 * Names that a list of declarations goes on with: `float a = f(x, y), b;` declares `b` too.
 * @param {string} source
 * @param {number} from Where the first name ends.
 */
function* listed(source, from) {
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    const sign = source.charAt(i);
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (depth < 0 || ';{'.includes(sign)) return;
    const [, name] = (depth === 0 && /^,\s*([A-Za-z]\w*)/.exec(source.slice(i))) || [];
    if (name && !IS_TYPE.test(name)) yield name;
  }
}

/** @param {string} text @param {string} sign */
const count = (text, sign) => text.split(sign).length;

/**
 * What a shader declares: outside of functions, where other shaders can see it, and within.
 * @param {string} source
 */
function declared(source) {
  /** @type {Set<string>} */
  const outside = new Set();
  /** @type {Set<string>} */
  const within = new Set();
  for (const match of source.matchAll(DECLARED)) {
    const before = source.slice(0, match.index);
    const isOutside = count(before, '{') === count(before, '}') && count(before, '(') === count(before, ')');
    // The members of the block of uniforms are seen everywhere.
    for (const name of [match[1] ?? '', ...listed(source, match.index + match[0].length)])
      (isOutside || /^u[A-Z]/.test(name) ? outside : within).add(name);
  }
  return { outside, within };
}

/** @param {ReadonlySet<string>} taken */
function* freeNames(taken) {
  const letters = 'ecatsnoirplmudfvxyghbwkqzjABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (const a of ['', ...letters]) for (const b of letters) if (!taken.has(a + b)) yield a + b;
}

/** @param {string} source */
const wordsOf = (source) => [...source.matchAll(WORD)].map(([word]) => word);

/**
 * Short names for `own` in the order in which they come: what is written alike is then named alike, which packs best.
 * @param {Iterable<string>} own
 * @param {readonly string[]} words All words, as they come.
 * @param {ReadonlySet<string>} taken
 * @returns {Map<string, string>} Name → short name. A name for which none was left is not in it.
 */
function shorten(own, words, taken) {
  const free = freeNames(taken);
  const inOrder = [...own].sort((a, b) => words.indexOf(a) - words.indexOf(b));
  const names = new Map();
  for (const name of inOrder) {
    const { value } = free.next();
    if (value) names.set(name, value);
  }
  return names;
}

/**
 * Gives what shaders call their own short names, alike in all of them, so that they can still be put together.
 * @param {readonly string[]} sources All shaders, compact.
 * @param {ReadonlySet<string>} kept Names that somebody else asks for: uniforms, attributes. Names in capitals stay too.
 */
export function renameGlsl(sources, kept) {
  const words = sources.map(wordsOf);
  const parts = sources.map(declared);
  /** @param {string} name */
  const isOwn = (name) => name !== 'main' && !kept.has(name) && !/^[A-Z]+$/.test(name);
  const outside = new Set(parts.flatMap((part) => [...part.outside]).filter(isOwn));
  const shared = shorten(outside, words.flat(), new Set([...words.flat(), ...kept, 'do', 'if', 'in']));
  return sources.map((source, i) => {
    const own = words[i] ?? [];
    const within = [...(parts[i]?.within ?? [])].filter((name) => isOwn(name) && !outside.has(name));
    const taken = new Set([
      ...own.filter((word) => !within.includes(word)),
      ...shared.values(),
      ...kept,
      'do',
      'if',
      'in',
    ]);
    const names = new Map([...shared, ...shorten(within, own, taken)]);
    return source.replace(WORD, (word) => names.get(word) ?? word);
  });
}

const SHADER = /\.glsl\?raw$/;

/**
 * Compact shaders of a folder by file; what the code of the folder above names in quotes keeps its name.
 * @param {string} folder
 */
function compactFolder(folder) {
  /**
   * @param {string} path
   * @param {string} ending
   * @returns {[file: string, text: string][]}
   */
  const read = (path, ending) =>
    readdirSync(path)
      .filter((file) => file.endsWith(ending))
      .map((file) => [join(path, file), readFileSync(join(path, file), 'utf8')]);
  const shaders = read(folder, '.glsl').map(([file, source]) => ({ file, source: compactGlsl(source) }));
  const quoted = read(dirname(folder), '.ts').flatMap(([, code]) => [...code.matchAll(/'([A-Za-z]\w*)'/g)]);
  const renamed = renameGlsl(
    shaders.map(({ source }) => source),
    new Set(quoted.map(([, name = '']) => name)),
  );
  return new Map(shaders.map(({ file }, i) => [file, renamed[i]]));
}

/**
 * A Vite plugin: `?raw` imports of shaders are compact in the build.
 * @returns {import('vite').Plugin}
 */
export const glsl = () => ({
  name: 'glsl',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!SHADER.test(id)) return null;
    const file = id.replace('?raw', '');
    return `export default ${JSON.stringify(compactFolder(dirname(file)).get(file))}`;
  },
});
