import { resolve } from 'node:path';
import { createClassNames } from '@pillion/scripts/class-names.ts';
import { glsl } from '@pillion/scripts/glsl.mjs';
import { reactNames } from '@pillion/scripts/react-names.mjs';
import { threads } from '@pillion/scripts/threads.mjs';
import { site } from '@pillion/server/vite/site-plugin.mjs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

/**
 * Vite wraps every `import()` in a helper that loads a chunk's styles and preloads first. Ours have none to wait for: the
 * document links one stylesheet, and pages bring theirs (`addStyles`). 0.6 KB less.
 */
const noPreloadHelper = (): Plugin => ({
  name: 'no-preload-helper',
  enforce: 'pre',
  load: {
    filter: { id: /\0vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
});

/**
 * The classes of a module as names of their own instead of one object: each stands where it is used, and what is not used
 * is not sent. 0.6 KB less.
 */
const classesByName = (): Plugin[] => [
  {
    name: 'classes-by-name',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/react\/src\/[^?]*\.tsx?$/ },
      handler: (code) => code.replace(/import (\w+) from ('[^']+\.module\.css')/g, 'import * as $1 from $2'),
    },
  },
  {
    name: 'keep-styles',
    enforce: 'post',
    transform: {
      order: 'post',
      filter: { id: /\.module\.css$/ },
      // A module of which no name is left would take its styles along when it goes.
      handler: (code) => ({
        code: code.replace(/export default[\s\S]*$/, ''),
        map: null,
        moduleSideEffects: 'no-treeshake',
      }),
    },
  },
];

/** One configuration for the browser's build (`vite build`), the server's (`--ssr`) and development. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    site(resolve('site')),
    glsl(),
    threads(),
    reactNames(import.meta.dirname),
    noPreloadHelper(),
    classesByName(),
  ],
  css: { modules: { generateScopedName: createClassNames(import.meta.dirname) } },
  publicDir: isSsrBuild ? false : 'site/public',
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
          // What is the same everywhere stands where it is used: 0.4 KB less.
          optimization: { inlineConst: { mode: 'all', pass: 3 } },
          output: {
            ...ASSETS,
            chunkFileNames: ({ facadeModuleId }: { facadeModuleId: string | null }) =>
              `assets/${namedByFolder(facadeModuleId)}-[hash].js`,
          },
        },
      },
}));
