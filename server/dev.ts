import { createApp } from './app.ts';
import { addressAt } from './config.ts';
import { listenerOf } from './http/listener.ts';
import type { PageAssets } from './http/manifest.ts';
import { consoleLog as log } from './log.ts';
import { configured, contentFor, failToListen, headersFor } from './start.ts';

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
const app = createApp({ config, content: contentFor(config), assets, headers, log });

export const refused = (error: Error) => failToListen(error, config);
export const listener = listenerOf(app, headers);
export const where = () => ({ host: config.host, port: config.port, address: addressAt(config) });
