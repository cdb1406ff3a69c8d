// Worker threads need a separate file, but the server's build is one file: it contains their programs as text.
import { dirname, resolve } from 'node:path';
import { build } from 'vite';

const THREAD = /new URL\('(\.\/[\w-]+-thread\.ts)', import\.meta\.url\)/g;

/** @param {string} entry @returns The file and its imports as one module. */
async function bundle(entry) {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    // A program in a `data:` address cannot import packages, so they are bundled.
    ssr: { noExternal: true },
    build: { ssr: entry, write: false, minify: true, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [one] = [made].flat();
  if (!one || !('output' in one)) throw new Error(`the build of ${entry} is empty`);
  // `createRequire` does not accept a `data:` address. It loads only Node's own modules, so any path works.
  return one.output[0].code.replaceAll('import.meta.url', 'process.execPath');
}

/**
 * A Vite plugin for the server's code: `new URL('./x-thread.ts', import.meta.url)` becomes a `data:` address with the
 * program. A server that runs during the next build therefore never starts a thread of another version. In development
 * only for files in `node_modules`, in which Node reads no TypeScript.
 * @returns {import('vite').Plugin}
 */
export const threads = () => ({
  name: 'threads',
  apply: (_config, { command, isSsrBuild }) => command === 'serve' || isSsrBuild === true,
  enforce: 'pre',
  async transform(code, id) {
    if (this.environment.mode === 'dev' && !id.includes('/node_modules/')) return null;
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
