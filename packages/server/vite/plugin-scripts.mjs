// Bundles the scripts of the WordPress plugin.
import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the editor parts of sections. `require` runs each where it is called, so a failing one stops no other. */
const EDITORS = 'virtual:pillion-editors';

/**
 * Makes the module `EDITORS`.
 * @param {Record<string, string>} editors Paths of the sections' editor parts, by the name of the section.
 * @returns {import('vite').Plugin}
 */
const editorsPlugin = (editors) => ({
  name: 'pillion-editors',
  resolveId: (id) => (id === EDITORS ? `\0${EDITORS}` : null),
  load(id) {
    if (id !== `\0${EDITORS}`) return null;
    const parts = Object.entries(editors).map(
      ([name, file]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(file)})`,
    );
    return `export default { ${parts.join(', ')} };`;
  },
});

/**
 * @param {string} plugin Folder with the plugin's sources. Each module directly in `assets` or `blocks` is a script.
 * @param {Record<string, string>} editors Paths of the sections' editor parts, by the name of the section.
 * @returns The scripts, each with its path in the plugin, and with the absolute paths of its sources.
 * @throws {Error} With the file that cannot be built.
 */
export async function buildScripts(plugin, editors) {
  // Loaded here, because scripts of the repository use this folder without Vite.
  const { build } = await import('vite');
  const entries = globSync('{assets,blocks}/*.ts', { cwd: plugin });
  return Promise.all(
    entries.map(async (entry) => {
      const built = await build({
        ...{ root: plugin, configFile: false, envDir: false, publicDir: false, logLevel: 'silent' },
        plugins: [editorsPlugin(editors)],
        build: {
          ...{ write: false, modulePreload: false },
          rolldownOptions: { input: join(plugin, entry), output: { format: 'iife' } },
        },
      });
      const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
      const [{ code, moduleIds }] = output;
      return { file: entry.replace(/\.ts$/, '.js'), code, sources: moduleIds };
    }),
  );
}
