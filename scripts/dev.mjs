// Development: Vite as middleware on the site's own server, so that pages, endpoints and hot updates share one address.
// Differences from production: docs/how-to/developers.md.
import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createVite } from 'vite';
import { ROOT } from './lib/project.mjs';

/** Shows every section, page, form and picture in every state, in development only. */
const WORKBENCH = /^\/(media\/)?workbench\b/;

const server = createHttpServer();
const vite = await createVite({ appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
const { where, refused } = /** @type {typeof import('@pillion/server/dev.ts')} */ (
  await vite.ssrLoadModule('/packages/server/src/dev.ts')
);
const { address, port, host } = where();

// Writes the plugin's section files again when a declaration changes. Server and WordPress then use them.
vite.watcher.on('all', (_event, path) => {
  if (!/\/packages\/react\/src\/(?:sections|templates)\/[^/]+\/(?:section\.ts|editor\.ts|edit\.\w+)$/.test(path))
    return;
  execFile(
    process.execPath,
    ['scripts/sections.mjs'],
    { cwd: ROOT },
    (error, _out, said) => error && console.error(said),
  );
});

server.on('request', (req, res) => {
  vite.middlewares(req, res, async () => {
    try {
      // Vite reloads the server's code after an edit, and otherwise returns it from its cache.
      const { listener } = await vite.ssrLoadModule(
        WORKBENCH.test(req.url ?? '') ? '/packages/server/src/workbench/workbench.ts' : '/packages/server/src/dev.ts',
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
