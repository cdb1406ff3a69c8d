import type { Content } from '@pillion/content/content.ts';
import { ACCESS, type FakeSite, openContent } from '@pillion/content/testing/fake-site.ts';
import type { Log } from '@pillion/lib/log.ts';
import { createDirectSqliteStore, createSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import type { SignUpStore } from '@pillion/sign-ups/store/store.ts';
import type { Hono } from 'hono';
import { createApp } from '../app.ts';
import { purgeFor } from '../cdn/purge.ts';
import { readConfig } from '../config/config.ts';
import type { PageCache } from '../http/page-cache.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createSharePictures } from '../share/pictures.ts';
import { createSignUpService } from '../wiring/sign-ups.ts';

/** Address of the site in tests. */
export const SITE = 'https://site.example';

/** The key that encrypts sign-ups. */
export const SECRET_KEY = 'a secret of the tests';

/** Timeout for stopping the delivery, in milliseconds. Unsent sign-ups stay in the store. */
const STOP_MS = 1_000;

export interface AppSetup extends Pick<FakeSite, 'wordpress' | 'directory'> {
  log: Log;
  /** Default: `wordpress`. */
  source?: 'bundled' | 'wordpress';
  /** Environment variables, which override those of the fake site. */
  env?: Record<string, string>;
  bundleDirectory?: string;
  /** Headers of every response. Default: none. */
  headers?: Record<string, string>;
  /** Whether sign-ups are delivered to WordPress. Default: they stay in the store, where a test can read them. */
  isDelivering?: boolean;
  /**
   * Whether the store runs in threads, as on a server, and opens its file with the first call. Default: it runs in this
   * thread, because starting two takes longer than most tests, and virtual time does not apply to them.
   */
  hasThreads?: boolean;
  /** Limit of all share pictures in the cache, in bytes. Default: the server's. */
  shareBytes?: number;
}

export interface StartedApp {
  app: Hono;
  /** Cached responses, which are looked up before `app` is called. */
  pageCache: PageCache | null;
  content: Content;
  store: SignUpStore;
  /** Waits until all writes are done. Must be called before the fake site stops. */
  close: () => Promise<void>;
}

/**
 * Creates the server's request handler as `main.ts` does, without a socket and assets, with a store in the folder of
 * the fake site.
 * @throws If the environment is not a valid configuration, with all its problems.
 */
export function startApp({ wordpress, directory, log, ...more }: AppSetup): StartedApp {
  const {
    source = 'wordpress',
    env = {},
    bundleDirectory,
    headers = {},
    isDelivering = false,
    hasThreads = false,
    shareBytes,
  } = more;
  const read = readConfig({
    ...{ CONTENT_SOURCE: source, CONTENT_URL: wordpress.url, CONTENT_KEY: ACCESS.key, CONTENT_SECRET: ACCESS.secret },
    ...{ SITE_URL: SITE, DATA_DIR: directory },
    ...env,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const { config } = read;
  const metrics = createMetrics();
  const content = openContent(
    { wordpress, directory },
    {
      source,
      wordpress: config.content.source === 'wordpress' ? config.content : null,
      ...(bundleDirectory && { bundleDirectory }),
      log,
      metrics: metrics.content,
    },
  );
  const store = (hasThreads ? createSqliteStore : createDirectSqliteStore)(directory);
  const signUpService = createSignUpService({ config, secretKey: SECRET_KEY, store, log });
  const stopDelivery = isDelivering ? signUpService.start() : null;
  const sharePictures = createSharePictures({
    ...{ content, dataDirectory: directory, log },
    ...(shareBytes && { maxBytes: shareBytes }),
  });
  const none = { scripts: [], starter: '/starter.js', later: [], styles: [], extraHead: '' };
  const assets = { build: 'test', forTemplate: () => none, forPreview: () => none };
  const { signUps } = signUpService;
  const purge = purgeFor(config, content, metrics, log);
  return {
    ...createApp({ config, content, signUps, sharePictures, assets, headers, log, metrics, purge }),
    content,
    store,
    close: async () => {
      await stopDelivery?.(STOP_MS);
      await purge?.close(STOP_MS);
      await Promise.all([content.close(), sharePictures.close(), store.close()]);
    },
  };
}
