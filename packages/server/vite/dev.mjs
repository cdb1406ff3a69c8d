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

/** @param {string} path From the site's folder. Files of the configuration: the build reads it once. */
const isConfiguration = (path) => /^[^./][^/]*\.(?:ts|tokens\.json|svg)$/.test(path);

/**
 * Serves the site in the current folder from its sources, with hot updates. A change of its configuration or colours
 * restarts Vite.
 * @returns {Promise<import('vite').ViteDevServer>}
 */
export async function startDevelopment() {
  const server = createHttpServer();
  const own = await config({ command: 'serve', mode: 'development' });
  const vite = await createVite(
    mergeConfig(own, {
      ...{ configFile: false, appType: 'custom' },
      server: { middlewareMode: true, hmr: { server } },
      optimizeDeps: { exclude: KIT },
    }),
  );
  const { where, refused } = /** @type {typeof import('@pillion/server/dev.ts')} */ (
    await vite.ssrLoadModule('@pillion/server/dev.ts')
  );
  const { address, port, host } = where();

  const folder = resolve(siteFolder());
  vite.watcher.on('change', (path) => {
    if (dirname(resolve(path)) === folder && isConfiguration(relative(folder, path)))
      vite.restart().then(() => vite.ws.send({ type: 'full-reload' }), console.error);
  });

  server.on('request', (req, res) => {
    vite.middlewares(req, res, async () => {
      try {
        // Vite reloads the server's code after an edit, and otherwise returns it from its cache.
        const { listener } = await vite.ssrLoadModule(
          isWorkbench(req) ? '@pillion/server/workbench/workbench.ts' : '@pillion/server/dev.ts',
        );
        await listener(req, res);
      } catch (cause) {
        const error = /** @type {Error} */ (cause);
        vite.ssrFixStacktrace(error);
        console.error(error);
        res.writeHead(500, { 'content-type': 'text/plain' }).end(error.stack);
      }
    });
  });
  server.on('error', refused);
  server.listen(port, host, () => console.log(`\n  ${address}\n`));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => vite.close().finally(() => process.exit(0)));
  return vite;
}
