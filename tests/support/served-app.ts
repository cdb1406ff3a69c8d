import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import { listen } from '@pillion/lib/testing/listen.ts';
import { createListener } from '@pillion/server/http/listener.ts';
import { startApp } from '@pillion/server/testing/start-app.ts';
import { beforeAll } from 'vitest';
import type { SharedWordPress } from '../contract/global-setup.ts';
import { forgetSite, setSite, wordpress } from '../contract/wordpress.ts';
import { findFreePort, waitForSite } from './site.ts';

export type ServedApp = Awaited<ReturnType<typeof serveApp>>;

/** Renders a draft in the preview pane, as the block editor does. @param pane Address of the pane. */
export const renderDraft = (pane: string, draft: unknown) =>
  fetch(new URL('/preview/render', pane), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'pillion-preview-token': new URL(pane).searchParams.get('token') ?? '',
    },
    body: JSON.stringify({ draft }),
  });

/**
 * Starts the site inside this process, without a build, on a real port, and waits until it shows the front page of a real
 * WordPress. `secret` is that of both sides.
 */
export async function serveApp({ url: wordpressUrl, key, secret: contentSecret }: SharedWordPress) {
  const directory = await mkdtemp(join(tmpdir(), 'pillion-served-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const { app, content, close } = startApp({
    // Only its address is read.
    wordpress: { url: wordpressUrl } as Parameters<typeof startApp>[0]['wordpress'],
    directory,
    log: (...line) => void lines.push(JSON.stringify(line)),
    env: {
      CONTENT_KEY: key,
      CONTENT_SECRET: contentSecret,
      SITE_URL: url,
      WEBHOOK_SECRET,
      CONTENT_TIMEOUT_MS: '30000',
    },
  });
  const server = createServer(createListener(app, {}));
  const { close: closeServer } = await listen(server, port);
  await waitForSite(url);
  let stopping: Promise<void> | null = null;
  /** Ends it, once. Its data stays until `remove`, which ends it too. */
  const stop = () => {
    stopping ??= closeServer().then(close);
    return stopping;
  };
  return {
    ...{ url, secret: WEBHOOK_SECRET, content, lines, directory },
    stop,
    remove: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Serves the calling file's tests. WordPress knows the site. @returns Is filled in before the first test. */
export function useServedApp(): ServedApp {
  const app = {} as ServedApp;
  beforeAll(async () => {
    Object.assign(app, await serveApp(wordpress()));
    setSite(app.url, app.secret);
    return async () => {
      forgetSite();
      await app.remove();
    };
  });
  return app;
}
