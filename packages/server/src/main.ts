import './short-collections.ts';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import site from 'virtual:pillion/site';
import { consoleLog as log } from '@pillion/lib/log.ts';
import { openStore } from '@pillion/sign-ups/store/open-store.ts';
import { createApp } from './app.ts';
import { purgeFor } from './cdn/purge.ts';
import { addressAt } from './config/config.ts';
import { fail, loadConfig } from './config/environment.ts';
import { reportAtStart } from './doctor/at-start.ts';
import { createAssets } from './http/assets.ts';
import { guardConnections } from './http/connections.ts';
import { createDraining } from './http/draining.ts';
import { storeBuild } from './http/kept-builds.ts';
import { createListener, createRequestHandler } from './http/listener.ts';
import { createPageAssets, type Manifest } from './http/manifest.ts';
import { createProxies, networkOf } from './http/network.ts';
import { createLooks } from './look.ts';
import { createMetrics } from './metrics/metrics.ts';
import {
  contentFor,
  failToListen,
  headersFor,
  instancesFor,
  sharePicturesFor,
  signUpServiceFor,
} from './wiring/server.ts';

const config = loadConfig();
const clientFolder = resolve('build/client');
if (!existsSync(`${clientFolder}/.vite/manifest.json`)) fail('There is no build yet: run npm start, or npm run build.');
const manifest = JSON.parse(readFileSync(`${clientFolder}/.vite/manifest.json`, 'utf8')) as Manifest;
const assets = createPageAssets(manifest);
const headers = headersFor(config);
const metrics = createMetrics();
const looks = createLooks(site, log);
const content = contentFor(config, metrics, looks);
const draining = createDraining();
const store = openStore(config, log);
const instances = instancesFor(config, content);
const signUpService = signUpServiceFor(config, store, instances, site);
const sharePictures = sharePicturesFor(config, content, site, looks);
const purge = purgeFor(config, content, metrics, log);
const { app, pageCache } = createApp({
  config,
  content,
  sharePictures,
  looks,
  signUps: signUpService.signUps,
  assets,
  headers,
  log,
  metrics,
  instances,
  draining,
  purge,
});

/** Stores this build. @returns Folders of earlier builds, whose files open pages still request. */
function storeAndListBuilds(): string[] {
  try {
    return storeBuild(clientFolder, join(config.dataDirectory, 'builds'), assets.build);
  } catch (error) {
    log('warn', 'older builds not stored', { error });
    return [];
  }
}

const sendAsset = createAssets(clientFolder, headers, storeAndListBuilds());
const proxies = createProxies(config.trustProxy);
const handleRequest = createRequestHandler({ handleByApp: createListener(app, headers), pageCache, proxies, metrics });

/** Longer than a proxy keeps a connection (nginx 60 s, AWS 60 s), so that it never uses one that this server closes. */
const KEEP_ALIVE_MS = 75_000;
/** Timeout of the headers. Bodies have no timeout: `guardConnections` closes connections that are too slow. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Interval of the header timeout check. */
const HEADERS_CHECK_INTERVAL_MS = 5_000;
const timeouts = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: HEADERS_CHECK_INTERVAL_MS,
};
const server = createServer(timeouts, (req, res) => {
  draining.prepareResponse(res);
  instances.onRequest();
  if (sendAsset(req, res)) return metrics.asset();
  handleRequest(req, res);
});
const connections = guardConnections(server, {
  networkOf: (remote) => (proxies.mayBeProxy(remote ?? null) ? null : networkOf(remote ?? null)),
  onEnded: metrics.connectionEnded,
});

/** The first descriptor that a service manager passes (sd_listen_fds(3)). */
const FIRST_DESCRIPTOR = 3;

/**
 * Listens on the socket that systemd passed to this process (socket activation), which stays open during a restart, so no
 * connection is refused. Without one, opens the port. A socket may be for the parent process instead.
 */
function startListening(): Promise<void> {
  const { host, port } = config;
  server.on('error', (error) => failToListen(error, { host, port }));
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  const isSocketPassed = LISTEN_PID === String(process.pid) && Number(LISTEN_FDS) > 0;
  return new Promise((resolve) => server.listen(isSocketPassed ? { fd: FIRST_DESCRIPTOR } : { port, host }, resolve));
}

function reportAddress(): void {
  const address = addressAt(config);
  // `npm start` waits for this message and prints the address.
  if (process.send) process.send({ address });
  else log('info', 'listening', { address, site: config.siteUrl });
}

/** In milliseconds. A turn of the event loop that takes less had no work. */
const QUIET_TURN_MS = 0.5;
/** Longest wait for a quiet turn, as a busy machine has few. In milliseconds, part of a stop's time. */
const QUIET_TIMEOUT_MS = 2_000;

/**
 * Waits until the server has accepted all waiting connections. Closing the port drops the others, and a sign-up in one
 * of them would be lost. A turn accepts one connection at most, so only a turn that accepted none proves it.
 */
async function waitForQuietTurn(): Promise<void> {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  // A signal is handled after the turn's connections were accepted, so the rest of this turn accepts none.
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + QUIET_TIMEOUT_MS;
  for (let turnStartedAt = 0; turnStartedAt < until; ) {
    const acceptedBefore = accepted;
    turnStartedAt = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (accepted === acceptedBefore && performance.now() - turnStartedAt < QUIET_TURN_MS) return;
  }
}

/**
 * Time for a load balancer to notice that this server is not ready, in milliseconds. The server still responds to all
 * requests. It waits only if a balancer has requested its health.
 */
const DRAIN_MS = 3_000;
/**
 * Timeout of requests that are in progress at a stop, in milliseconds. Both fit in the 15 s that
 * docs/reference/contract.md gives a stop.
 */
const STOP_TIMEOUT_MS = 8_000;
/** Time for requests on accepted connections to arrive after the port is closed, in milliseconds. */
const LAST_REQUESTS_MS = 200;
/** Timeout of the current deliveries, in milliseconds; the rest of the stop returns them to the outbox. */
const DELIVERY_TIMEOUT_MS = 6_000;
/** Timeout of the last purge of a CDN, in milliseconds. */
const PURGE_TIMEOUT_MS = 1_500;

/** Resolves with the first signal. A signal to the process group arrives twice. */
const waitForStopSignal = () =>
  new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });

const closeResources = () => Promise.all([instances.leave(), content.close(), sharePictures.close(), store.close()]);

/** Stops a server that has not opened its port. */
async function stopBeforeListening(signal: NodeJS.Signals): Promise<void> {
  log('info', 'stopping', { signal });
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS);
  await closeResources().finally(() => process.exit(0));
}

/** Runs the server from its start to its end. */
async function run(): Promise<void> {
  // First: the kernel ignores a signal to process 1 of a container that has no handler.
  const stopSignal = waitForStopSignal();
  // The cache of this server may be older than a change that other servers know.
  const earlySignal = await Promise.race([instances.begin(), stopSignal]);
  if (earlySignal) return stopBeforeListening(earlySignal);
  await startListening();
  // Only now: a start that fails because its port is in use must not lease sign-ups.
  const stopDelivery = signUpService.start();
  reportAtStart(config, log);
  instances.join();
  void content.begin();
  reportAddress();

  const signal = await stopSignal;
  draining.begin(connections.responses());
  log('info', 'stopping', { signal });
  // An operator who stops the server by hand (SIGINT) does not wait for a balancer.
  if (signal === 'SIGTERM' && draining.isMonitored) await setTimeoutAsync(DRAIN_MS);
  await waitForQuietTurn();
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref();
  // `close` of an HTTP server also closes connections whose request has arrived but is not read yet.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await setTimeoutAsync(LAST_REQUESTS_MS);
  server.closeIdleConnections();
  await Promise.all([stopDelivery(DELIVERY_TIMEOUT_MS), closed])
    // Only now: requests in progress may still use the store.
    .then(() => purge?.close(PURGE_TIMEOUT_MS))
    .then(closeResources)
    .finally(() => process.exit(0));
}

await run();
