// Worker threads need a separate file, but the server's build is one file: it contains their programs as text.
import { dirname, resolve } from 'node:path';
import { build } from 'vite';

const THREAD_ADDRESS = /new URL\('(\.\/[\w-]+-thread\.ts)', import\.meta\.url\)/g;

/** @param {string} entry Absolute path of the program. @returns It and its imports as one module. */
async function bundleThread(entry) {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    // A program in a `data:` address cannot import packages, so they are bundled.
    ssr: { noExternal: true },
    build: { ssr: entry, write: false, minify: true, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [first] = [outputs].flat();
  if (!first || !('output' in first)) throw new Error(`the build of ${entry} is empty`);
  // `createRequire` does not accept a `data:` address. It loads only Node's own modules, so any path works.
  return first.output[0].code.replaceAll('import.meta.url', 'process.execPath');
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
    const addresses = [...code.matchAll(THREAD_ADDRESS)];
    if (addresses.length === 0) return null;
    let inlined = code;
    for (const [address, file = ''] of addresses) {
      const program = await bundleThread(resolve(dirname(id), file));
      const data = `data:text/javascript;base64,${Buffer.from(program).toString('base64')}`;
      inlined = inlined.replace(address, `new URL(${JSON.stringify(data)})`);
    }
    return { code: inlined, map: null };
  },
});
