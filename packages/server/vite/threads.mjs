// A thread's program lies in a file of its own, which the server's build has none of: there it is carried along as text.
import { dirname, resolve } from 'node:path';
import { build } from 'vite';

const THREAD = /new URL\('(\.\/[\w-]+-thread\.ts)', import\.meta\.url\)/g;

/** @param {string} entry @returns The file with all it imports, as one module. */
async function bundle(entry) {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    // A program in a `data:` address finds no packages: it carries them along.
    ssr: { noExternal: true },
    build: { ssr: entry, write: false, minify: true, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [one] = [made].flat();
  if (!one || !('output' in one)) throw new Error(`nothing was built of ${entry}`);
  // `createRequire` takes no `data:` address. It loads Node's own modules alone, from wherever it is.
  return one.output[0].code.replaceAll('import.meta.url', 'process.execPath');
}

/**
 * A Vite plugin for the server's build: `new URL('./x-thread.ts', import.meta.url)` becomes a `data:` address that holds
 * the program. A server that runs while the next build is made so never starts a thread of another version.
 * @returns {import('vite').Plugin}
 */
export const threads = () => ({
  name: 'threads',
  apply: (_config, { isSsrBuild }) => isSsrBuild === true,
  enforce: 'pre',
  async transform(code, id) {
    const found = [...code.matchAll(THREAD)];
    if (found.length === 0) return null;
    let text = code;
    for (const [address, file = ''] of found) {
      const program = await bundle(resolve(dirname(id), file));
      const data = `data:text/javascript;base64,${Buffer.from(program).toString('base64')}`;
      text = text.replace(address, `new URL(${JSON.stringify(data)})`);
    }
    return { code: text, map: null };
  },
});
