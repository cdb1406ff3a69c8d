import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { createFolder, findFreePort, type RunningSite, startSite } from './site.ts';

/** A WordPress and the site that reads it, each configured with the other's address and their secret. */
export interface Wired {
  wordpress: RunningWordPress;
  site: {
    url: string;
    start(): Promise<void>;
    stop(): Promise<void>;
    /** Puts the clock of the site forward, or back if `ms` is negative. */
    forward(ms: number): Promise<void>;
  };
  /** Ends all and removes their files. */
  end(): Promise<void>;
}

/** Starts both, as `npm run start:wordpress` does. */
export async function startWired(): Promise<Wired> {
  const folder = createFolder();
  const port = await findFreePort();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const url = `http://127.0.0.1:${port}`;
  const wordpress = await startWordPress({ directory: join(folder, 'site'), site: { url, secret } });
  const env = {
    CONTENT_SOURCE: 'wordpress',
    ...{ CONTENT_URL: wordpress.url, CONTENT_KEY: wordpress.key, CONTENT_SECRET: wordpress.secret },
    WEBHOOK_SECRET: secret,
  };
  let running: RunningSite | null = null;
  const site = {
    url,
    async start() {
      running ??= await startSite({ ...env, PORT: String(port), DATA_DIR: join(folder, 'data') });
    },
    async stop() {
      await running?.stop();
      running = null;
    },
    forward: async (ms: number) => running?.forward(ms),
  };
  await site.start();
  const end = async () => {
    await site.stop();
    await wordpress.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { wordpress, site, end };
}
