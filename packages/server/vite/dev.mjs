// Development: Vite as middleware on the site's own server, so that pages, endpoints and hot updates share one address.
// Differences from production: docs/how-to/developers.md.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { createLogger, createServer as createVite, mergeConfig, normalizePath } from 'vite';
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

const SERVER = '@pillion/server/dev.ts';

/** An error page is connected. The mistake may have been corrected before. */
const CONNECTED = 'pillion:error-page';

/**
 * A page that reloads when the mistake is corrected.
 * @param {string} message
 */
const errorPage = (message) => `<!doctype html><title>Error</title>
<script type="module">
import { createHotContext } from '/@vite/client';
const hot = createHotContext('/error-page');
hot.on('vite:ws:connect', () => hot.send('${CONNECTED}'));
</script>
<pre>${message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;

/** No sources. Paths from the current folder. */
const NO_SOURCE = /^(?:build|data|vendor|test-results)\/|(?:^|\/)(?:node_modules|\.[^./])|\.log$/;

/** @param {string} path From the site's folder. Files of the configuration: the build reads it once. */
const isConfiguration = (path) => /^[^./][^/]*\.(?:ts|tokens\.json|svg)$/.test(path);

/** Changes within this time are handled together: an editor may save several files, or one in two steps. In milliseconds. */
const TOGETHER_MS = 50;

/**
 * A logger that remembers what failed.
 * @returns {import('vite').Logger & { failure: string | null }} `failure`: the newest message, until someone clears it.
 */
function createRememberingLogger() {
  const { error, ...others } = createLogger();
  return {
    ...others,
    failure: null,
    error(message, options) {
      // This message follows the one with the reason.
      if (message !== 'server restart failed') this.failure = stripVTControlCharacters(String(message));
      error(message, options);
    },
  };
}

/**
 * Follows changes of the site's files: restarts Vite, or reloads the pages that Vite does not update.
 * @param {{ logger: ReturnType<typeof createRememberingLogger>, sockets: EventEmitter }} options `sockets`: emits `upgrade`.
 */
function createFollower({ logger, sockets }) {
  const folder = resolve(siteFolder());
  const data = resolve(process.env.DATA_DIR || 'data');
  /** @type {PromiseWithResolvers<import('vite').ViteDevServer>} */
  const { promise: started, resolve: start } = Promise.withResolvers();
  /** @type {Map<string, string>} Events that are not handled yet, by path from the site's folder. */
  const changed = new Map();
  /** Ends when the latest restart of Vite has ended. */
  let restarted = Promise.resolve();
  let hasRestarted = true;

  /** @param {import('vite').ViteDevServer} vite */
  async function restart(vite) {
    const before = vite.environments;
    const listeners = sockets.listeners('upgrade');
    logger.failure = null;
    await vite.restart();
    hasRestarted = vite.environments !== before;
    // After a restart the pages have lost their connection, and reload.
    if (hasRestarted) return;
    for (const listener of sockets.listeners('upgrade'))
      if (!listeners.includes(listener)) sockets.off('upgrade', /** @type {() => void} */ (listener));
    const err = { message: logger.failure ?? 'The restart failed.', stack: '' };
    vite.environments.client.hot.send({ type: 'error', err });
  }

  /** @param {import('vite').ViteDevServer} vite */
  function follow(vite) {
    const { client, ssr } = vite.environments;
    const events = [...changed];
    changed.clear();
    /** Whether Vite updates the file in pages without an error. @param {string} path @param {string} event */
    const isHot = (path, event) =>
      event === 'change' && (client.moduleGraph.getModulesByFile(normalizePath(resolve(folder, path)))?.size ?? 0) > 0;

    if (!hasRestarted || events.some(([path]) => isConfiguration(path))) {
      restarted = restarted.then(() => restart(vite)).catch(console.error);
      return;
    }
    if (events.some(([path]) => path.startsWith('content/'))) {
      // The server reads content once, so it starts again with the next request.
      const server = normalizePath(fileURLToPath(import.meta.resolve(SERVER)));
      for (const module of ssr.moduleGraph.getModulesByFile(server) ?? []) ssr.moduleGraph.invalidateModule(module);
    } else if (logger.failure === null && events.every(([path, event]) => path.startsWith('..') || isHot(path, event)))
      return;
    logger.failure = null;
    client.hot.send({ type: 'full-reload' });
  }

  const token = randomUUID();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {import('vite').Plugin} */
  const plugin = {
    name: 'pillion-changes',
    configResolved(resolved) {
      // Vite has another token after each restart. A page that loads meanwhile would never get an update.
      Object.assign(resolved, { webSocketToken: token });
    },
    // Each restart has another watcher.
    configureServer({ watcher, ws }) {
      ws.on(CONNECTED, (_data, client) => {
        if (logger.failure === null) client.send({ type: 'full-reload' });
      });
      watcher.on('all', (event, path) => {
        if (NO_SOURCE.test(normalizePath(relative('', path))) || !relative(data, path).startsWith('..')) return;
        changed.set(normalizePath(relative(folder, resolve(path))), event);
        clearTimeout(timer);
        timer = setTimeout(() => started.then(follow), TOGETHER_MS);
      });
    },
  };

  return {
    plugin,
    /** Called once, with the server that has the plugin. */
    start,
    restarted: () => restarted,
    async untilRestarted() {
      for (let latest; latest !== restarted; await latest) latest = restarted;
    },
  };
}

/**
 * Serves the site in the current folder from its sources, with hot updates. A change of its configuration or colours
 * restarts Vite. Other changes that no module of the open page contains reload the page.
 * @returns {Promise<import('vite').ViteDevServer>}
 * @throws If the code of the site cannot be loaded.
 */
export async function startDevelopment() {
  const server = createHttpServer();
  const logger = createRememberingLogger();
  /** Sockets wait for a restart: meanwhile two servers of Vite would accept each of them. */
  const sockets = new EventEmitter();
  const { plugin, start, restarted, untilRestarted } = createFollower({ logger, sockets });
  const own = await config({ command: 'serve', mode: 'development' });
  const vite = await createVite(
    mergeConfig(own, {
      ...{ configFile: false, appType: 'custom', customLogger: logger, plugins: [plugin] },
      server: { middlewareMode: true, hmr: { server: sockets } },
      optimizeDeps: { exclude: KIT },
    }),
  );
  // Errors name lines of the sources, not of the code that Vite makes from them.
  process.setSourceMapsEnabled(true);
  start(vite);
  const first = await vite.ssrLoadModule(SERVER).catch(async (error) => {
    await vite.close();
    throw error;
  });
  const { where, refused } = /** @type {typeof import('@pillion/server/dev.ts')} */ (first);
  const { address, port, host } = where();

  /**
   * Vite reloads the server's code after an edit, and otherwise returns it from its cache. A restart interrupts it.
   * @param {string} name
   * @returns {Promise<Record<string, any>>}
   */
  async function load(name) {
    for (;;) {
      const before = restarted();
      try {
        return await vite.ssrLoadModule(name);
      } catch (cause) {
        if (restarted() === before) throw cause;
        await untilRestarted();
      }
    }
  }

  server.on('upgrade', async (...request) => {
    await untilRestarted();
    sockets.emit('upgrade', ...request);
  });
  server.on('request', async (req, res) => {
    await untilRestarted();
    res.on('finish', () => {
      if (res.statusCode >= 500) logger.failure ??= `${req.url} was answered with ${res.statusCode}.`;
    });
    vite.middlewares(req, res, async () => {
      try {
        const { listener } = await load(isWorkbench(req) ? '@pillion/server/workbench/workbench.ts' : SERVER);
        await listener(req, res);
      } catch (cause) {
        const error = /** @type {Error} */ (cause);
        console.error(error);
        res
          .writeHead(500, { 'content-type': 'text/html; charset=utf-8' })
          .end(errorPage(stripVTControlCharacters(error.stack ?? error.message)));
      }
    });
  });
  server.on('error', refused);
  server.listen(port, host, () => console.log(`\n  ${address}\n`));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => vite.close().finally(() => process.exit(0)));
  return vite;
}
