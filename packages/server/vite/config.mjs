import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import glsl from 'vite-plugin-glsl';
import { ownPartsPlugin } from './own-parts-plugin.mjs';
import { site } from './site-plugin.mjs';
import { threads } from './threads.mjs';

/** @param {string} name Of a file that a package exports. @returns Its absolute path. */
const exportedFile = (name) => fileURLToPath(import.meta.resolve(name));

/** The same in both builds: the server writes the addresses of stylesheets, which have a hash of their text. */
const STYLES = {
  // The oldest browsers with nesting, layers and color-mix as the kit uses them. There is no fallback for older ones.
  cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
  cssMinify: true,
};

/**
 * Many folders have a `view.css` or a `template.lazy.tsx`, so the address of such a file has the folder's name.
 * @param {string | null | undefined} source Path of the source.
 * @returns Of other files Vite's placeholder for their own name.
 */
const folderNameOf = (source) =>
  source?.match(/(?:^|\/)(?:sections|templates)\/([^/]+)\/(?:view|template)\b/)?.[1] ?? '[name]';

/** The same in both builds, like `STYLES`. */
const ASSETS = {
  /** @param {{ originalFileNames: string[] }} asset */
  assetFileNames: ({ originalFileNames }) => `assets/${folderNameOf(originalFileNames[0])}-[hash][extname]`,
};

/**
 * Globals of Node, and the one of React's developer tools, which work with `npm run dev`. Declared as absent, because React
 * is 0.5 KB smaller without the code that uses them (decision 083).
 */
const ABSENT_GLOBALS = { process: 'undefined', setImmediate: 'undefined', __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' };

/** One configuration for the browser's build (`vite build`), the server's (`--ssr`) and development. */
export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    react(),
    site(resolve(siteFolder())),
    ownPartsPlugin(resolve(siteFolder())),
    glsl({ minify: true }),
    threads(),
  ],
  // A hash of path and class, so both builds use the same names. Five digits, since names are in three files.
  css: { modules: { generateScopedName: '[hash:hex:5]' } },
  ...(command === 'build' && !isSsrBuild && { define: ABSENT_GLOBALS }),
  publicDir: isSsrBuild ? false : `${siteFolder()}/public`,
  // The kit's packages contain sources, which are compiled with the site.
  ssr: { noExternal: [/^@pillion\//] },
  build: isSsrBuild
    ? {
        ...STYLES,
        outDir: 'build/server',
        emptyOutDir: true,
        ssr: true,
        // One file, as the next build removes chunks that a running server has not loaded yet.
        rolldownOptions: {
          input: { main: exportedFile('@pillion/server/main.ts') },
          output: { ...ASSETS, codeSplitting: false },
        },
      }
    : {
        ...STYLES,
        outDir: 'build/client',
        manifest: true,
        // Fonts and icons stay files: as `data:` addresses they would be part of every page.
        assetsInlineLimit: 0,
        // One stylesheet for the site. The document links the others that it needs.
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
          input: [
            '@pillion/react/starter.ts',
            '@pillion/react/entry.client.ts',
            '@pillion/react/styles/language-styles.ts',
            '@pillion/react/styles/editor-styles.ts',
          ].map(exportedFile),
          // Keeps the exports of entries, and with them the stylesheets that only the server links.
          preserveEntrySignatures: 'exports-only',
          output: {
            ...ASSETS,
            // One chunk for React and all that needs it: as five chunks they have 1.6 KB more. The entry keeps its own modules.
            codeSplitting: {
              groups: [
                { name: 'entry.client', test: /\/entry\.client\.ts$/, priority: 1 },
                { name: 'hydrate', test: /\/hydrate\.tsx$/ },
              ],
            },
            /** @param {{ facadeModuleId: string | null }} chunk */
            chunkFileNames: ({ facadeModuleId }) => `assets/${folderNameOf(facadeModuleId)}-[hash].js`,
          },
        },
      },
}));
