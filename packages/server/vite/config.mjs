import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import glsl from 'vite-plugin-glsl';
import { ownPartsPlugin } from './own-parts-plugin.mjs';
import { site } from './site-plugin.mjs';
import { threads } from './threads.mjs';

/** @param {string} name Of a file that a package exports. */
const fileOf = (name) => fileURLToPath(import.meta.resolve(name));

/** The same in both builds: a stylesheet's address has a hash of its text, and the server writes that address. */
const STYLES = {
  // The oldest browsers with nesting, layers and color-mix as the kit writes them: nothing is spelled out for older ones.
  cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
  cssMinify: true,
};

/**
 * Many folders have a `view.css`, a `template.lazy.tsx`: a file's address has the folder's name.
 * @param {string | null | undefined} source
 */
const namedByFolder = (source) =>
  source?.match(/(?:^|\/)(?:sections|templates)\/([^/]+)\/(?:view|template)\b/)?.[1] ?? '[name]';

/** The same in both builds, as the styles are. */
const ASSETS = {
  /** @param {{ originalFileNames: string[] }} asset */
  assetFileNames: ({ originalFileNames }) => `assets/${namedByFolder(originalFileNames[0])}-[hash][extname]`,
};

/** One configuration for the browser's build (`vite build`), the server's (`--ssr`) and development. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    site(resolve(siteFolder())),
    ownPartsPlugin(resolve(siteFolder())),
    glsl({ minify: true }),
    threads(),
  ],
  // A hash of path and class, so both builds use the same names. Five hexadecimal digits: names cost bytes in three files.
  css: { modules: { generateScopedName: '[hash:hex:5]' } },
  publicDir: isSsrBuild ? false : `${siteFolder()}/public`,
  // The kit's packages are sources: they are compiled with the site.
  ssr: { noExternal: [/^@pillion\//] },
  build: isSsrBuild
    ? {
        ...STYLES,
        outDir: 'build/server',
        emptyOutDir: true,
        ssr: true,
        // One file: a server that runs during the next build must not miss a chunk it has not loaded yet.
        rolldownOptions: {
          input: { main: fileOf('@pillion/server/main.ts') },
          output: { ...ASSETS, codeSplitting: false },
        },
      }
    : {
        ...STYLES,
        outDir: 'build/client',
        manifest: true,
        // Fonts and icons stay files: as data: addresses every page would send them.
        assetsInlineLimit: 0,
        // One stylesheet, and the document names what it needs itself.
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
          input: ['starter.ts', 'entry.client.tsx', 'styles/language-styles.ts', 'styles/editor-styles.ts'].map(
            (name) => fileOf(`@pillion/react/${name}`),
          ),
          // Exports of an entry stay, and with them the sheet that only the server names.
          preserveEntrySignatures: 'exports-only',
          output: {
            ...ASSETS,
            /** @param {{ facadeModuleId: string | null }} chunk */
            chunkFileNames: ({ facadeModuleId }) => `assets/${namedByFolder(facadeModuleId)}-[hash].js`,
          },
        },
      },
}));
