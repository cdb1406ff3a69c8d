// Development: Vite as middleware on the site's own server, so that pages, endpoints and hot updates share one address.
// Differences from production: docs/how-to/developers.md.
import { createServer as createHttpServer } from 'node:http';
import { dirname, relative, resolve } from 'node:path';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { createServer as createVite, mergeConfig } from 'vite';
import config from './config.mjs';

/** Shows every section, page, form and picture in every state, in development only. */
const WORKBENCH = /^\/(media\/)?workbench\b/;

/**
 * Whether a request is for the workbench, which also answers the forms of its pages.
 * @param {import('node:http').IncomingMessage} request
 */
const isWorkbench = ({ url = '', headers }) =>
  WORKBENCH.test(url) || (url === '/api/sign-ups' && WORKBENCH.test(URL.parse(headers.referer ?? '')?.pathname ?? ''));

/** Packages that contain sources. Vite would bundle them once, and not see the site in them. */
const KIT = ['content', 'forms', 'lib', 'motion', 'react', 'server', 'sign-ups'].map((name) => `@pillion/${name}`);

/**
 * A page that reloads when the code is edited.
 * @param {Error} error
 */
const errorPage = ({ stack = '' }) =>
  `<!doctype html><title>Error</title><script type="module" src="/@vite/client"></script><pre>${stack.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;

/** @param {string} path From the site's folder. Files of the configuration: the build reads it once. */
const isConfiguration = (path) => /^[^./][^/]*\.(?:ts|tokens\.json|svg)$/.test(path);

/**
 * Serves the site in the current folder from its sources, with hot updates. A change of its configuration or colours
 * restarts Vite.
 * @returns {Promise<import('vite').ViteDevServer>}
 */
export async function startDevelopment() {
  const server = createHttpServer();
  const folder = resolve(siteFolder());
  /** Ends when the latest restart of Vite has ended. */
  let restarted = Promise.resolve();
  /** @type {import('vite').Plugin} */
  const restarts = {
    name: 'pillion-restarts',
    // Each restart has another watcher. The pages reload when they have lost their connection.
    configureServer({ watcher, restart }) {
      watcher.on('change', (path) => {
        if (dirname(resolve(path)) === folder && isConfiguration(relative(folder, path)))
          restarted = restart().catch(console.error);
      });
    },
  };
  const own = await config({ command: 'serve', mode: 'development' });
  const vite = await createVite(
    mergeConfig(own, {
      ...{ configFile: false, appType: 'custom', plugins: [restarts] },
      server: { middlewareMode: true, hmr: { server } },
      optimizeDeps: { exclude: KIT },
    }),
  );
  const { where, refused } = /** @type {typeof import('@pillion/server/dev.ts')} */ (
    await vite.ssrLoadModule('@pillion/server/dev.ts')
  );
  const { address, port, host } = where();

  /**
   * Vite reloads the server's code after an edit, and otherwise returns it from its cache. A restart interrupts it.
   * @param {string} name
   * @returns {Promise<Record<string, any>>}
   */
  async function load(name) {
    for (;;) {
      const before = restarted;
      await before;
      try {
        return await vite.ssrLoadModule(name);
      } catch (cause) {
        if (restarted === before) throw cause;
      }
    }
  }

  server.on('request', (req, res) => {
    vite.middlewares(req, res, async () => {
      try {
        const { listener } = await load(
          isWorkbench(req) ? '@pillion/server/workbench/workbench.ts' : '@pillion/server/dev.ts',
        );
        await listener(req, res);
      } catch (cause) {
        const error = /** @type {Error} */ (cause);
        vite.ssrFixStacktrace(error);
        console.error(error);
        res.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(errorPage(error));
      }
    });
  });
  server.on('error', refused);
  server.listen(port, host, () => console.log(`\n  ${address}\n`));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => vite.close().finally(() => process.exit(0)));
  return vite;
}
