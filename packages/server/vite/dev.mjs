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
const KIT_PACKAGES = ['content', 'forms', 'lib', 'motion', 'react', 'server', 'sign-ups'].map(
  (name) => `@pillion/${name}`,
);

const SERVER_MODULE = '@pillion/server/dev.ts';

/** Sent by an error page when it is connected. The mistake may have been corrected before. */
const CONNECTED_EVENT = 'pillion:error-page';

/**
 * A page that reloads when the mistake is corrected.
 * @param {string} message
 */
const errorPage = (message) => `<!doctype html><title>Error</title>
<script type="module">
import { createHotContext } from '/@vite/client';
const hot = createHotContext('/error-page');
hot.on('vite:ws:connect', () => hot.send('${CONNECTED_EVENT}'));
</script>
<pre>${message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;

/** Files that are not sources, by their path from the current folder. */
const IGNORED_PATH = /^(?:build|data|vendor|test-results)\/|(?:^|\/)(?:node_modules|\.[^./])|\.log$/;

/** Whether a file belongs to the configuration, which Vite reads only at its start. @param {string} path From the site's folder. */
const isConfiguration = (path) => /^[^./][^/]*\.(?:ts|tokens\.json|svg)$/.test(path);

/** Changes within this time are handled together: an editor may save several files, or one in two steps. In milliseconds. */
const DEBOUNCE_MS = 50;

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

/** @typedef {[path: string, event: string]} Change A path from the site's folder, and the watcher's event. */

/**
 * Decides what changed files need.
 * @param {Change[]} changes
 * @param {object} state
 * @param {boolean} state.restartFailed Whether the latest restart of Vite failed.
 * @param {boolean} state.hasFailure Whether pages may show an error, which only a reload removes.
 * @param {(path: string) => boolean} state.hasModule Whether the file is a module of a page, which Vite updates.
 * @returns {'restart' | 'reload server' | 'reload page' | 'nothing'}
 */
function chooseReaction(changes, { restartFailed, hasFailure, hasModule }) {
  if (restartFailed || changes.some(([path]) => isConfiguration(path))) return 'restart';
  // The server reads content once, so it starts again with the next request.
  if (changes.some(([path]) => path.startsWith('content/'))) return 'reload server';
  const viteUpdatesAll = changes.every(
    ([path, event]) => path.startsWith('..') || (event === 'change' && hasModule(path)),
  );
  return viteUpdatesAll && !hasFailure ? 'nothing' : 'reload page';
}

/**
 * Restarts Vite, one restart after the other. If a restart fails, the earlier server goes on.
 * @param {{ logger: ReturnType<typeof createRememberingLogger>, sockets: EventEmitter }} options `sockets`: emits `upgrade`.
 */
function createRestarter({ logger, sockets }) {
  /** The restart that was requested last. It waits for the others, and never rejects. */
  let latestRestart = Promise.resolve();
  let hasFailed = false;

  /** @param {import('vite').ViteDevServer} vite */
  async function restartNow(vite) {
    const { environments } = vite;
    const listeners = sockets.listeners('upgrade');
    logger.failure = null;
    // It does not throw. After a failure, which only the logger gets, the environments are the earlier ones.
    await vite.restart();
    hasFailed = vite.environments === environments;
    // After a success the pages have lost their connection, and reload.
    if (hasFailed) keepEarlierServer(vite, listeners);
  }

  /** @param {import('vite').ViteDevServer} vite @param {Function[]} listeners Of the earlier server. */
  function keepEarlierServer(vite, listeners) {
    // The failed server listens too, and would accept each socket a second time.
    for (const listener of sockets.listeners('upgrade'))
      if (!listeners.includes(listener)) sockets.off('upgrade', /** @type {() => void} */ (listener));
    const err = { message: logger.failure ?? 'The restart failed.', stack: '' };
    vite.environments.client.hot.send({ type: 'error', err });
  }

  /** Resolves when no restart runs or waits. */
  async function waitForRestarts() {
    /** @type {Promise<void> | undefined} */
    let awaitedRestart;
    while (awaitedRestart !== latestRestart) {
      awaitedRestart = latestRestart;
      await awaitedRestart;
    }
  }

  /**
   * Does work that a restart may interrupt, such as loading a module, until none interrupts it.
   * @template T @param {() => Promise<T>} work @returns {Promise<T>}
   * @throws The error of `work`, if no restart was requested meanwhile.
   */
  async function retryAfterRestart(work) {
    for (;;) {
      const restartBefore = latestRestart;
      try {
        return await work();
      } catch (cause) {
        if (latestRestart === restartBefore) throw cause;
        await waitForRestarts();
      }
    }
  }

  return {
    waitForRestarts,
    retryAfterRestart,
    /** Whether the last restart that ended failed. */
    hasFailed: () => hasFailed,
    /** @param {import('vite').ViteDevServer} vite */
    restart(vite) {
      latestRestart = latestRestart.then(() => restartNow(vite)).catch(console.error);
    },
  };
}

/**
 * Reports changes of the site's files.
 * @param {{ logger: ReturnType<typeof createRememberingLogger>, onChanges: (changes: Change[]) => unknown }} options
 * @returns {import('vite').Plugin}
 */
function changesPlugin({ logger, onChanges }) {
  const folder = resolve(siteFolder());
  const dataFolder = resolve(process.env.DATA_DIR || 'data');
  const token = randomUUID();
  /** @type {Map<string, string>} Events that are not reported yet, by path from the site's folder. */
  const events = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const reportChanges = () => {
    onChanges([...events]);
    events.clear();
  };

  return {
    name: 'pillion-changes',
    configResolved(resolved) {
      // Vite has another token after each restart. A page that loads meanwhile would never get an update.
      Object.assign(resolved, { webSocketToken: token });
    },
    // Each restart has another watcher.
    configureServer({ watcher, ws }) {
      ws.on(CONNECTED_EVENT, (_data, client) => {
        if (logger.failure === null) client.send({ type: 'full-reload' });
      });
      watcher.on('all', (event, path) => {
        if (IGNORED_PATH.test(normalizePath(relative('', path))) || !relative(dataFolder, path).startsWith('..'))
          return;
        events.set(normalizePath(relative(folder, resolve(path))), event);
        clearTimeout(timer);
        timer = setTimeout(reportChanges, DEBOUNCE_MS);
      });
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
  const restarter = createRestarter({ logger, sockets });
  const { waitForRestarts, retryAfterRestart } = restarter;

  /** @param {Change[]} changes Also of files that change before Vite has started. */
  async function handleChanges(changes) {
    const vite = await starting.catch(() => null);
    if (!vite) return;
    const { client, ssr } = vite.environments;
    const reaction = chooseReaction(changes, {
      restartFailed: restarter.hasFailed(),
      hasFailure: logger.failure !== null,
      hasModule: (path) =>
        Boolean(client.moduleGraph.getModulesByFile(normalizePath(resolve(siteFolder(), path)))?.size),
    });
    if (reaction === 'nothing') return;
    if (reaction === 'restart') return restarter.restart(vite);
    if (reaction === 'reload server') {
      const file = normalizePath(fileURLToPath(import.meta.resolve(SERVER_MODULE)));
      for (const module of ssr.moduleGraph.getModulesByFile(file) ?? []) ssr.moduleGraph.invalidateModule(module);
    }
    logger.failure = null;
    client.hot.send({ type: 'full-reload' });
  }

  const siteConfig = await config({ command: 'serve', mode: 'development' });
  const plugin = changesPlugin({ logger, onChanges: handleChanges });
  const starting = createVite(
    mergeConfig(siteConfig, {
      ...{ configFile: false, appType: 'custom', customLogger: logger, plugins: [plugin] },
      server: { middlewareMode: true, hmr: { server: sockets } },
      optimizeDeps: { exclude: KIT_PACKAGES },
    }),
  );
  const vite = await starting;
  // Errors name lines of the sources, not of the code that Vite makes from them.
  process.setSourceMapsEnabled(true);
  const serverModule = await vite.ssrLoadModule(SERVER_MODULE).catch(async (error) => {
    await vite.close();
    throw error;
  });
  const { where, refused } = /** @type {typeof import('@pillion/server/dev.ts')} */ (serverModule);
  const { address, port, host } = where();

  server.on('upgrade', async (...request) => {
    await waitForRestarts();
    sockets.emit('upgrade', ...request);
  });
  server.on('request', async (req, res) => {
    await waitForRestarts();
    res.on('finish', () => {
      if (res.statusCode >= 500) logger.failure ??= `${req.url} was answered with ${res.statusCode}.`;
    });
    vite.middlewares(req, res, async () => {
      try {
        const module = isWorkbench(req) ? '@pillion/server/workbench/workbench.ts' : SERVER_MODULE;
        // Vite loads the code again after an edit, and otherwise returns it from its cache.
        const { listener } = await retryAfterRestart(() => vite.ssrLoadModule(module));
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
