// Development: Vite as middleware on the site's own server, so that pages, endpoints and hot updates share one address.
// What differs from production is written in docs/developers.md.
import { createServer as createHttpServer } from 'node:http';
import { createServer as createVite } from 'vite';

const server = createHttpServer();
const vite = await createVite({ appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
const { where, refused } = await vite.ssrLoadModule('/server/dev.ts');
const { address, port, host } = where();

server.on('request', (req, res) => {
  vite.middlewares(req, res, async () => {
    try {
      // Loaded anew after an edit to the server's code, from Vite's cache otherwise.
      const { listener } = await vite.ssrLoadModule('/server/dev.ts');
      await listener(req, res);
    } catch (error) {
      vite.ssrFixStacktrace(error);
      console.error(error);
      res.writeHead(500, { 'content-type': 'text/plain' }).end(error.stack);
    }
  });
});
server.on('error', refused);
server.listen(port, host, () => console.log(`\n  ${address}\n`));
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => vite.close().finally(() => process.exit(0)));
