/**
 * Imports a TypeScript module of a site in Node.
 * @param {string} file Absolute.
 * @param {string} root Where Vite looks for packages.
 * @param {import('vite').Plugin[]} [plugins]
 * @returns {Promise<Record<string, unknown>>}
 */
export async function importFile(file, root, plugins = []) {
  // Loaded here, because scripts of the repository use this folder without Vite too.
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(file, {
    ...{ root, configFile: false, logLevel: 'error', plugins },
    // Node reads no TypeScript inside `node_modules`: Vite does.
    environments: { inline: { resolve: { noExternal: [/^@pillion\//] } } },
  });
  return /** @type {Record<string, unknown>} */ (module);
}
