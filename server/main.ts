import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { createApp } from './app.ts';
import { addressAt, type Config } from './config.ts';
import type { Content } from './content/content.ts';
import { configured, fail } from './environment.ts';
import { createAssets } from './http/assets.ts';
import { listenerOf } from './http/listener.ts';
import { type Manifest, pageAssets } from './http/manifest.ts';
import { consoleLog as log } from './log.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { SharePictures } from './share/pictures.ts';
import { openStore } from './sign-ups/store/open-store.ts';
import type { SignUpStore } from './sign-ups/store/store.ts';
import { contentFor, deskFor, failToListen, headersFor, sharePicturesFor } from './start.ts';

/** Time a stop waits for requests under way before it ends them, in milliseconds: inside the 15 s of the contract. */
const STOP_WITHIN_MS = 8_000;
/** What is being delivered may take so much of it; the rest is for putting it back. */
const DELIVER_WITHIN_MS = 6_000;

function listen(server: Server, { host, port, siteUrl }: Config): void {
  server.on('error', (error) => failToListen(error, { host, port }));
  server.listen(port, host, () => {
    const address = addressAt({ host, port });
    // `npm start` waits for this word to print the address.
    if (process.send) process.send({ address });
    else log('info', 'listening', { address, site: siteUrl });
  });
}

interface Desk {
  stopDelivery: (withinMs: number) => Promise<void>;
  store: SignUpStore;
  sharePictures: SharePictures;
}

/** Stops taking requests, finishes those under way, then ends. A group's signal arrives twice: once is enough. */
function stopGracefully(server: Server, content: Content, { stopDelivery, store, sharePictures }: Desk): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log('info', 'stopping', { signal });
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    const closed = new Promise((resolve) => server.close(resolve));
    void Promise.all([stopDelivery(DELIVER_WITHIN_MS), closed])
      // Only now: a request under way may still want something stored.
      .then(() => Promise.all([content.close(), sharePictures.close(), store.close()]))
      .finally(() => process.exit(0));
    server.closeIdleConnections();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
}

const config = configured();
const client = resolve('build/client');
if (!existsSync(`${client}/.vite/manifest.json`)) fail('There is no build yet: run npm start, or npm run build.');
const manifest = JSON.parse(readFileSync(`${client}/.vite/manifest.json`, 'utf8')) as Manifest;
const headers = headersFor(config);
const metrics = createMetrics();
const content = contentFor(config, metrics);
const store = openStore(config, log);
const desk = deskFor(config, store);
const sharePictures = sharePicturesFor(config, content);
const app = createApp({
  config,
  content,
  sharePictures,
  signUps: desk.signUps,
  assets: pageAssets(manifest),
  headers,
  log,
  metrics,
});
const answerAsset = createAssets(client, headers);
const answerApp = listenerOf(app, headers);

const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (req, res) => {
  if (answerAsset(req, res)) metrics.asset();
  else answerApp(req, res);
});
let stopDelivery: Desk['stopDelivery'] = async () => {};
// Not before: a start that finds its port taken must not lease what it will never deliver.
server.once('listening', () => {
  stopDelivery = desk.start();
});
listen(server, config);
stopGracefully(server, content, { stopDelivery: (withinMs) => stopDelivery(withinMs), store, sharePictures });
