import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** One configuration for the browser's build (`vite build`), the server's (`--ssr`) and development. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react()],
  publicDir: isSsrBuild ? false : 'public',
  build: isSsrBuild
    ? {
        outDir: 'build/server',
        emptyOutDir: true,
        ssr: true,
        // One file: a server that runs while the next build is made must not miss a chunk it has not loaded yet.
        rolldownOptions: { input: 'server/main.ts', output: { codeSplitting: false } },
      }
    : {
        outDir: 'build/client',
        manifest: true,
        // Fonts and icons stay files of their own: as data: addresses they would be sent with every page.
        assetsInlineLimit: 0,
        // One stylesheet and no preload helper: 0.9 KB less to load, and the document names what it needs itself.
        cssCodeSplit: false,
        // The oldest browsers with nesting, layers and color-mix as we write them: nothing is spelled out for older ones.
        cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
        modulePreload: false,
        rolldownOptions: { input: 'app/entry.client.tsx' },
      },
}));
