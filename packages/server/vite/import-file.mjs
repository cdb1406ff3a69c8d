import { relative } from 'node:path';

/**
 * Adds the file to errors of JSON, which Vite leaves out.
 * @param {string} root Messages show paths from here.
 * @returns {import('vite').Plugin}
 */
const nameJsonFiles = (root) => ({
  name: 'pillion-json-errors',
  enforce: 'pre',
  transform: {
    filter: { id: /\.json$/ },
    handler(code, id) {
      try {
        JSON.parse(code);
      } catch (error) {
        throw new Error(`${relative(root, id)}: ${error instanceof Error ? error.message : error}`);
      }
    },
  },
});

/**
 * Imports a TypeScript module of a site in Node.
 * @param {string} file Absolute path.
 * @param {string} root Folder where Vite looks for packages.
 * @param {import('vite').Plugin[]} [plugins]
 * @returns {Promise<Record<string, unknown>>}
 */
export async function importFile(file, root, plugins = []) {
  // Loaded here, because scripts of the repository use this folder without Vite.
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(file, {
    ...{ root, configFile: false, logLevel: 'error', plugins: [nameJsonFiles(root), ...plugins] },
    // Node does not read TypeScript in `node_modules`, so Vite has to compile it.
    environments: { inline: { resolve: { noExternal: [/^@pillion\//] } } },
  });
  return /** @type {Record<string, unknown>} */ (module);
}
