import { createApp } from './app.ts';
import { addressAt } from './config.ts';
import { configured } from './environment.ts';
import { listenerOf } from './http/listener.ts';
import type { PageAssets } from './http/manifest.ts';
import { consoleLog as log } from './log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openStore } from './sign-ups/store/open-store.ts';
import { contentFor, deskFor, failToListen, headersFor, sharePicturesFor } from './start.ts';

/** What React's hot updates need before the first component is loaded. */
const REFRESH = `<script type="module">import { injectIntoGlobalHook } from '/@react-refresh'; injectIntoGlobalHook(window); window.$RefreshReg$ = () => {}; window.$RefreshSig$ = () => (type) => type;</script>`;

/** Vite serves the sources themselves, so there is no manifest to read. */
const assets: PageAssets = {
  build: 'development',
  forTemplate: () => ({
    scripts: ['/@vite/client', '/app/entry.client.tsx'],
    styles: ['/app/styles/global.css'],
    preloads: [],
    fonts: [],
    extraHead: REFRESH,
  }),
};

/** Hot updates write inline styles and scripts and speak over a socket: only the policy differs from production. */
const DEVELOPMENT_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";

const config = configured();
const headers = { ...headersFor(config), 'content-security-policy': DEVELOPMENT_POLICY };
/** An edit loads this file anew: what the version before it started ends. */
const before = globalThis as { endDesk?: () => Promise<void> };
void before.endDesk?.();
const store = openStore(config, log);
const desk = deskFor(config, store);
const stopDelivery = desk.start();
before.endDesk = () => stopDelivery(0).then(() => store.close());
const metrics = createMetrics();
const content = contentFor(config, metrics);
const sharePictures = sharePicturesFor(config, content);
const app = createApp({ config, content, sharePictures, signUps: desk.signUps, assets, headers, log, metrics });

export const refused = (error: Error) => failToListen(error, config);
export const listener = listenerOf(app, headers);
export const where = () => ({ host: config.host, port: config.port, address: addressAt(config) });
