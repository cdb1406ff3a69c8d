import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { glsl } from './scripts/glsl.mjs';
import { threads } from './scripts/threads.mjs';

/** Two letters → the stylesheet whose classes end in them. */
const suffixes = new Map<string, string>();

/**
 * Class names as short as they can be and still be found in the sources: the name and two letters for its file. They
 * stand in the document, the stylesheet and the script; Vite's own cost 0.2 KB more in each.
 * @throws When two files come to the same letters: rename one.
 */
function className(name: string, path: string): string {
  const file = path.replace(/^.*\/app\//, '').replace(/\?.*$/, '');
  const suffix = createHash('sha256').update(file).digest('base64url').replace(/[-_]/g, '').slice(0, 2);
  const owner = suffixes.get(suffix) ?? file;
  if (owner !== file) throw new Error(`${owner} and ${file} share the class suffix ${suffix}`);
  suffixes.set(suffix, file);
  return `${name}-${suffix}`;
}

/** The same in both builds: a stylesheet's address holds a hash of what came of it, and the server writes that address. */
const STYLES = {
  // The oldest browsers with nesting, layers and color-mix as we write them: nothing is spelled out for older ones.
  cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
  cssMinify: true,
};

/** One configuration for the browser's build (`vite build`), the server's (`--ssr`) and development. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), glsl(), threads()],
  css: { modules: { generateScopedName: className } },
  publicDir: isSsrBuild ? false : 'public',
  build: isSsrBuild
    ? {
        ...STYLES,
        outDir: 'build/server',
        emptyOutDir: true,
        ssr: true,
        // One file: a server that runs while the next build is made must not miss a chunk it has not loaded yet.
        rolldownOptions: { input: 'server/main.ts', output: { codeSplitting: false } },
      }
    : {
        ...STYLES,
        outDir: 'build/client',
        manifest: true,
        // Fonts and icons stay files of their own: as data: addresses they would be sent with every page.
        assetsInlineLimit: 0,
        // One stylesheet and no preload helper: 0.9 KB less to load, and the document names what it needs itself.
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: { input: 'app/entry.client.tsx' },
      },
}));
