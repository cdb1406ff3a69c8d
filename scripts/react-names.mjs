// React carries two tables of names: attributes that are called otherwise in HTML, and styles whose numbers have no unit.
// Most of them are of SVG and of browsers long gone, and no page of ours has them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tables in React's own build for browsers, as React 19.3 writes them. */
const ATTRIBUTES = /(?<=var aliases = new Map\(\[)[\s\S]*?(?=\]\),)/;
const STYLES = /(?<=var unitlessNumbers = new Set\(\s*")[\w ]+(?="\.split\(\s*" "\s*\)\s*\);)/;

/**
 * Leaves out of React's tables the names that stand nowhere in the sources.
 * @param {string} code React's build for browsers.
 * @param {string} sources All text in which a component could name an attribute or a style.
 * @returns {string}
 * @throws {Error} Where a table is not found: this React writes it in another way.
 */
export function leaveOutUnusedNames(code, sources) {
  for (const table of [ATTRIBUTES, STYLES])
    if (!table.test(code)) throw new Error('A table of React’s is not where scripts/react-names.mjs looks for it');
  const words = new Set(sources.match(/[\w-]+/g));
  return code
    .replace(ATTRIBUTES, (rows) =>
      [...rows.matchAll(/\["([\w-]+)", "[\w:-]+"\]/g)]
        .filter(([, name = '']) => words.has(name))
        .map(([row]) => row)
        .join(', '),
    )
    .replace(STYLES, (names) =>
      names
        .split(' ')
        .filter((name) => words.has(name))
        .join(' '),
    );
}

/**
 * A Vite plugin for the browser's build: 1.3 KB less of what every visitor is sent.
 * @param {string} root The project's folder, an absolute path.
 * @returns {import('vite').Plugin}
 */
export const reactNames = (root) => ({
  name: 'react-names',
  apply: 'build',
  transform: {
    filter: { id: /react-dom-client\.production\.js/ },
    handler: (code) => ({
      code: leaveOutUnusedNames(
        code,
        globSync('{packages/{content,forms,lib,motion,react}/src,site}/**/*.{ts,tsx}', { cwd: root })
          .map((path) => readFileSync(join(root, path), 'utf8'))
          .join('\n'),
      ),
      map: null,
    }),
  },
});
