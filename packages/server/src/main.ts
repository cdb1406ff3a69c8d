import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import site from 'virtual:pillion/site';
import { consoleLog as log } from '@pillion/lib/log.ts';
import { createProxies, networkOf } from '@pillion/lib/network.ts';
import { openStore } from '@pillion/sign-ups/store/open-store.ts';
import { createApp } from './app.ts';
import { purgeFor } from './cdn/purge.ts';
import { addressAt } from './config/config.ts';
import { configured, fail } from './config/environment.ts';
import { reportAtStart } from './doctor/at-start.ts';
import { createAssets } from './http/assets.ts';
import { guardConnections } from './http/connections.ts';
import { createDraining } from './http/draining.ts';
import { inheritedSocket } from './http/inherited-socket.ts';
import { keepBuild } from './http/kept-builds.ts';
import { createFront, listenerOf } from './http/listener.ts';
import { type Manifest, pageAssets } from './http/manifest.ts';
import { createMetrics } from './metrics/metrics.ts';
import {
  contentFor,
  failToListen,
  headersFor,
  instancesFor,
  sharePicturesFor,
  signUpServiceFor,
} from './wiring/server.ts';

/**
 * A balancer that asks whether this server is ready has so long to hear that it is not, in milliseconds, while all it
 * sends is still answered. Nobody who does not ask is waited for.
 */
const DRAIN_MS = 3_000;
/** Time a stop waits for requests under way before it ends them, in milliseconds. Both: within the 15 s that docs/reference/contract.md gives a stop. */
const STOP_WITHIN_MS = 8_000;
/** What is being delivered may take so much of it; the rest is for putting it back. */
const DELIVER_WITHIN_MS = 6_000;
/** What a CDN is being told of may take so long at the end. */
const PURGE_WITHIN_MS = 1_500;

/** Resolves once it listens. */
function listening(): Promise<void> {
  const { host, port } = config;
  server.on('error', (error) => failToListen(error, { host, port }));
  const socket = inheritedSocket(process.env, process.pid);
  return new Promise((resolve) => server.listen(socket === null ? { port, host } : { fd: socket }, resolve));
}

function sayWhere(): void {
  const address = addressAt(config);
  // `npm start` waits for this word to print the address.
  if (process.send) process.send({ address });
  else log('info', 'listening', { address, site: config.siteUrl });
}

/** Longer than any proxy in front keeps a connection (nginx 60 s, AWS 60 s): it must not use one that is just closing. */
const KEEP_ALIVE_MS = 75_000;
/** Headers have come by then. Bodies have no end but their own: whoever is too slow is let go (`guardConnections`). */
const HEADERS_MS = 10_000;
/** How often it is looked for headers that did not come. */
const CHECK_MS = 5_000;

/** A turn of the event loop that is shorter has had nothing to do, in milliseconds. */
const QUIET_TURN_MS = 0.5;
/** One is waited for so long: on a crowded machine most turns are long. Part of what a stop may take. */
const QUIET_WITHIN_MS = 2_000;

/**
 * Waits until every connection that has come is taken. A port that is closed drops those which nobody has taken yet, and a
 * form that one of them carries would be lost.
 */
async function quietTurn(): Promise<void> {
  const until = performance.now() + QUIET_WITHIN_MS;
  for (let begun = 0; begun < until; ) {
    begun = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - begun < QUIET_TURN_MS) return;
  }
}

/** A group's signal arrives twice: the second one changes nothing. */
const askedToStop = () =>
  new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
  });

/** Everything that a server does from its start to its end, in this order. */
async function run(): Promise<void> {
  // What this server kept may be from before a change that others have heard of.
  await instances.begin();
  const asked = askedToStop();
  await listening();
  // Not before: a start that finds its port taken must not lease what it will never deliver.
  const stopDelivery = signUpService.start();
  reportAtStart(config, log);
  instances.join();
  void content.begin();
  sayWhere();

  const signal = await asked;
  draining.begin(connections.responses());
  log('info', 'stopping', { signal });
  // Whoever ends it by hand waits for no balancer.
  if (signal === 'SIGTERM' && draining.isWatched) await setTimeoutAsync(DRAIN_MS);
  await quietTurn();
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.all([stopDelivery(DELIVER_WITHIN_MS), closed])
    // Only now: a request under way may still want something stored.
    .then(() => purge?.close(PURGE_WITHIN_MS))
    .then(() => Promise.all([instances.leave(), content.close(), sharePictures.close(), store.close()]))
    .finally(() => process.exit(0));
}

/** Pages of the last builds still ask for their files. */
function earlierBuilds(): string[] {
  try {
    return keepBuild(client, join(config.dataDirectory, 'builds'), assets.build);
  } catch (error) {
    log('warn', 'builds not kept', { error });
    return [];
  }
}

const config = configured();
const client = resolve('build/client');
if (!existsSync(`${client}/.vite/manifest.json`)) fail('There is no build yet: run npm start, or npm run build.');
const manifest = JSON.parse(readFileSync(`${client}/.vite/manifest.json`, 'utf8')) as Manifest;
const assets = pageAssets(manifest);
const headers = headersFor(config);
const metrics = createMetrics();
const content = contentFor(config, metrics, site);
const draining = createDraining();
const store = openStore(config, log);
const instances = instancesFor(config, content);
const signUpService = signUpServiceFor(config, store, instances, site);
const sharePictures = sharePicturesFor(config, content, site);
const purge = purgeFor(config, content, metrics, log);
const { app, ready } = createApp({
  config,
  content,
  sharePictures,
  signUps: signUpService.signUps,
  assets,
  headers,
  log,
  metrics,
  instances,
  draining,
  purge,
});
const answerAsset = createAssets(client, headers, earlierBuilds());
const proxies = createProxies(config.trustProxy);
const answer = createFront({ answerApp: listenerOf(app, headers), ready, proxies, metrics });

const timeouts = {
  headersTimeout: HEADERS_MS,
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_MS,
};
const server = createServer(timeouts, (req, res) => {
  draining.mark(res);
  instances.onRequest();
  if (answerAsset(req, res)) return metrics.asset();
  answer(req, res);
});
const connections = guardConnections(server, {
  networkOf: (remote) => (proxies.mayBeProxy(remote ?? null) ? null : networkOf(remote ?? null)),
  onEnded: metrics.connectionEnded,
});
await run();
