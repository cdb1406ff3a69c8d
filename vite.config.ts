import { resolve } from 'node:path';
import { siteFolder } from '@pillion/lib/site-folder.ts';
import { threads } from '@pillion/scripts/threads.mjs';
import { site } from '@pillion/server/vite/site-plugin.mjs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import glsl from 'vite-plugin-glsl';

/** The same in both builds: a stylesheet's address holds a hash of what came of it, and the server writes that address. */
const STYLES = {
  // The oldest browsers with nesting, layers and color-mix as we write them: nothing is spelled out for older ones.
  cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
  cssMinify: true,
};

/** Many folders have a `view.css`, a `template.lazy.tsx`: in a file's address the folder says whose it is. */
const namedByFolder = (source: string | null | undefined) =>
  source?.match(/src\/(?:sections|templates)\/([^/]+)\/(?:view|template)\b/)?.[1] ?? '[name]';

/** The same in both builds, as the styles are. */
const ASSETS = {
  assetFileNames: ({ originalFileNames }: { originalFileNames: string[] }) =>
    `assets/${namedByFolder(originalFileNames[0])}-[hash][extname]`,
};

/** One configuration for the browser's build (`vite build`), the server's (`--ssr`) and development. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), site(resolve(siteFolder())), glsl({ minify: true }), threads()],
  // A hash of path and class, so both builds use the same names. Five hexadecimal digits: names cost bytes in three files.
  css: { modules: { generateScopedName: '[hash:hex:5]' } },
  publicDir: isSsrBuild ? false : `${siteFolder()}/public`,
  build: isSsrBuild
    ? {
        ...STYLES,
        outDir: 'build/server',
        emptyOutDir: true,
        ssr: true,
        // One file: a server that runs while the next build is made must not miss a chunk it has not loaded yet.
        rolldownOptions: { input: 'packages/server/src/main.ts', output: { ...ASSETS, codeSplitting: false } },
      }
    : {
        ...STYLES,
        outDir: 'build/client',
        manifest: true,
        // Fonts and icons stay files of their own: as data: addresses they would be sent with every page.
        assetsInlineLimit: 0,
        // One stylesheet, and the document names what it needs itself.
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
          input: [
            'packages/react/src/starter.ts',
            'packages/react/src/entry.client.tsx',
            'packages/react/src/styles/language-styles.ts',
          ],
          // What an entry exports is kept, and with it the sheet that only the server names.
          preserveEntrySignatures: 'exports-only',
          output: {
            ...ASSETS,
            chunkFileNames: ({ facadeModuleId }: { facadeModuleId: string | null }) =>
              `assets/${namedByFolder(facadeModuleId)}-[hash].js`,
          },
        },
      },
}));
