import site from 'virtual:pillion/site';
import { MEDIA_PREFIX } from '@pillion/content/wordpress/rewrite.ts';
import { consoleLog as log } from '@pillion/lib/log.ts';
import { previewStyles } from '@pillion/react/preview/preview-styles.ts';
import { openStore } from '@pillion/sign-ups/store/open-store.ts';
import { createApp } from './app.ts';
import { addressAt } from './config/config.ts';
import { loadConfig } from './config/environment.ts';
import { createListener } from './http/listener.ts';
import type { PageAssets } from './http/manifest.ts';
import { CONTENT_POLICY, formatPolicy } from './http/security-headers.ts';
import { singleInstance } from './instances/instances.ts';
import { createLooks } from './look.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addressOfSource } from './source-address.ts';
import { contentFor, failToListen, headersFor, sharePicturesFor, signUpServiceFor } from './wiring/server.ts';

/** Setup of React's hot updates, before the first component loads. */
const REFRESH = `<script type="module">import { injectIntoGlobalHook } from '/@react-refresh'; injectIntoGlobalHook(window); window.$RefreshReg$ = () => {}; window.$RefreshSig$ = () => (type) => type;</script>`;

/** Vite serves the sources, without a manifest. */
const assets: PageAssets = {
  build: 'development',
  forPreview: (kind) => ({
    scripts: [addressOfSource('@pillion/react/preview/preview.ts')],
    styles: previewStyles(kind),
  }),
  forTemplate: () => ({
    scripts: ['/@vite/client'],
    starter: addressOfSource('@pillion/react/starter.ts'),
    later: [addressOfSource('@pillion/react/entry.client.ts')],
    styles: [addressOfSource('@pillion/react/styles/global.css')],
    extraHead: REFRESH,
  }),
};

/** Hot updates use inline styles and scripts, a socket and a worker. */
const DEVELOPMENT_POLICY = formatPolicy({
  ...CONTENT_POLICY,
  'script-src': `${CONTENT_POLICY['script-src']} 'unsafe-inline'`,
  'style-src': `${CONTENT_POLICY['style-src']} 'unsafe-inline'`,
  'worker-src': `${CONTENT_POLICY['worker-src']} blob:`,
  'connect-src': `${CONTENT_POLICY['connect-src']} ws:`,
});

const config = loadConfig();
const headers = { ...headersFor(config), 'content-security-policy': DEVELOPMENT_POLICY };
/** Survives an edit, which loads this file again: the new version ends the service of the earlier one. */
const survivor = globalThis as { endSignUpService?: () => Promise<void> };
void survivor.endSignUpService?.();
const store = openStore(config, log);
const metrics = createMetrics();
const looks = createLooks(site, log);
const content = contentFor(config, metrics, looks);
// The development server does not join the servers of the public site.
const instances = singleInstance(content);
const signUpService = signUpServiceFor(config, store, instances, site);
const stopDelivery = signUpService.start();
survivor.endSignUpService = () => stopDelivery(0).then(() => store.close());
const sharePictures = sharePicturesFor(config, content, site, looks);
const { app } = createApp({
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
  // The cache does not notice edits of the code.
  isCaching: false,
});

/** Ends the process because it cannot listen. */
export const refused = (error: Error) => failToListen(error, config);
/** Makes browsers revalidate each picture, so that a replaced one is visible at once. */
const fetchWithoutMediaCache: typeof app.fetch = async (request, ...rest) => {
  const response = await app.fetch(request, ...rest);
  if (new URL(request.url).pathname.startsWith(MEDIA_PREFIX)) response.headers.set('cache-control', 'no-cache');
  return response;
};
export const listener = createListener({ fetch: fetchWithoutMediaCache }, headers);
/** For the workbench. */
export const development = { config, content, headers, assets, metrics };
export const where = () => ({ host: config.host, port: config.port, address: addressAt(config) });
