import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KIT_DECLARATIONS, ownParts, PART_FOLDERS } from './own-parts.mjs';

/**
 * Files of a site's parts. Each becomes a virtual module with their default exports by the name of the folder. The kit
 * uses it for names that it does not have itself.
 * @type {Record<string, { folder: string, file: string, eager?: false, query?: '?url' }>}
 */
const MODULE_SOURCES = {
  'section-views': { folder: 'sections', file: 'view.tsx' },
  'section-sheets': { folder: 'sections', file: 'view.css', query: '?url' },
  'section-styles': { folder: 'sections', file: 'styles.ts' },
  templates: { folder: 'templates', file: 'template.tsx' },
  'lazy-templates': { folder: 'templates', file: 'template.lazy.tsx', eager: false },
  'template-styles': { folder: 'templates', file: 'styles.ts' },
};

const PREFIX = 'virtual:pillion-own/';

/**
 * A Vite plugin that adds the sections and templates in the site's folder to those of the kit. No package imports them.
 * @param {string} folder Absolute path of the site's folder.
 * @returns {import('vite').Plugin}
 */
export function ownPartsPlugin(folder) {
  let root = process.cwd();
  /** The declarations of kit and site; `null`: the site has no parts. @type {Awaited<ReturnType<typeof ownParts>>} */
  let own = null;

  /** @param {string} name Of a virtual module, without its prefix. @returns Its text. */
  function writeModule(name) {
    const source = MODULE_SOURCES[name];
    if (!source) throw new Error(`There is no module ${PREFIX}${name}.`);
    const { folder: partFolder, file, ...options } = source;
    const pattern = JSON.stringify(`/${join(relative(root, folder), partFolder, '*', file)}`.replaceAll('\\', '/'));
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
        if (id === KIT_DECLARATIONS) return own && JSON.stringify(own);
        return id.startsWith(`\0${PREFIX}`) ? writeModule(id.slice(PREFIX.length + 1)) : null;
      },
    },
    configureServer(server) {
      const { watcher, config } = server;
      // Reads may overlap, and only the latest one counts.
      let latestRead = 0;
      const isDeclaration = /^(?:sections|templates)\/[^/]+\/(?:section|editor)\.ts$/;
      const isPart = /^(?:sections|templates)\/[^/]+(?:\/[^/]+)?$/;
      // The folder of a site may be outside Vite's root.
      watcher.add(PART_FOLDERS.map((name) => join(folder, name)).filter(existsSync));
      watcher.on('all', async (event, path) => {
        const name = relative(folder, path).replaceAll('\\', '/');
        // A declaration is valid only with the other files of its folder, so a new or deleted one counts too.
        if (!(event === 'change' ? isDeclaration : isPart).test(name)) return;
        latestRead += 1;
        const thisRead = latestRead;
        try {
          const parts = await ownParts(folder, root);
          if (thisRead !== latestRead) return;
          own = parts;
          watcher.emit('change', KIT_DECLARATIONS);
          server.environments.client.hot.send({ type: 'full-reload' });
        } catch (error) {
          if (thisRead !== latestRead) return;
          config.logger.error(error instanceof Error ? error.message : String(error));
        }
      });
    },
  };
}
