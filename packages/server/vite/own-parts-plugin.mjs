import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DECLARED, KINDS, ownParts } from './own-parts.mjs';

/**
 * Files of a site's parts. Each becomes a virtual module with their default exports by the name of the folder. The kit
 * uses it for names that it does not have itself.
 * @type {Record<string, { kind: string, file: string, eager?: false, query?: '?url' }>}
 */
const MODULES = {
  'section-views': { kind: 'sections', file: 'view.tsx' },
  'section-sheets': { kind: 'sections', file: 'view.css', query: '?url' },
  'section-styles': { kind: 'sections', file: 'styles.ts' },
  templates: { kind: 'templates', file: 'template.tsx' },
  'lazy-templates': { kind: 'templates', file: 'template.lazy.tsx', eager: false },
  'template-styles': { kind: 'templates', file: 'styles.ts' },
};

const PREFIX = 'virtual:pillion-own/';

/**
 * A Vite plugin that adds the sections and templates in the site's folder to those of the kit. No package imports them.
 * @param {string} folder Absolute path of the site's folder.
 * @returns {import('vite').Plugin}
 */
export function ownPartsPlugin(folder) {
  let root = process.cwd();
  /** @type {Awaited<ReturnType<typeof ownParts>>} */
  let own = null;

  /** @param {string} name */
  function code(name) {
    const found = MODULES[name];
    if (!found) throw new Error(`There is no module ${PREFIX}${name}.`);
    const { kind, file, ...options } = found;
    const pattern = JSON.stringify(`/${join(relative(root, folder), kind, '*', file)}`.replaceAll('\\', '/'));
    return `const files = import.meta.glob(${pattern}, ${JSON.stringify({ eager: true, import: 'default', ...options })});
export default Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split('/').at(-2), file]));`;
  }

  return {
    name: 'pillion-own-parts',
    async config(config) {
      root = config.root ?? root;
      own = await ownParts(folder, root);
    },
    resolveId: {
      filter: { id: /^virtual:pillion-own\// },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: [/^\0virtual:pillion-own\//, /\/blocks\/sections\.json$/] },
      handler(id) {
        // Adds the site's declarations to those of the kit, which the server imports.
        if (id === DECLARED) return own && JSON.stringify(own);
        return id.startsWith(`\0${PREFIX}`) ? code(id.slice(PREFIX.length + 1)) : null;
      },
    },
    configureServer(server) {
      const { watcher, config } = server;
      let newest = 0;
      const isDeclaration = /^(?:sections|templates)\/[^/]+\/(?:section|editor)\.ts$/;
      const isPart = /^(?:sections|templates)\/[^/]+(?:\/[^/]+)?$/;
      // The folder of a site may be outside Vite's root.
      watcher.add(KINDS.map((kind) => join(folder, kind)).filter(existsSync));
      watcher.on('all', async (event, path) => {
        const name = relative(folder, path).replaceAll('\\', '/');
        // A declaration needs the other files of its folder.
        if (!(event === 'change' ? isDeclaration : isPart).test(name)) return;
        newest += 1;
        const mine = newest;
        try {
          const read = await ownParts(folder, root);
          if (mine !== newest) return;
          own = read;
          watcher.emit('change', DECLARED);
          server.environments.client.hot.send({ type: 'full-reload' });
        } catch (error) {
          if (mine !== newest) return;
          config.logger.error(error instanceof Error ? error.message : String(error));
        }
      });
    },
  };
}
