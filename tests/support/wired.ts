import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@pillion/scripts/postgres.mjs';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { SHARED_KEY } from './sign-ups.ts';
import { freePort, type RunningSite, startSite, temporaryFolder } from './site.ts';

/** More servers of the site, which share a PostgreSQL with the first. */
export interface Others {
  sites: RunningSite[];
  postgres: RunningPostgres;
}

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
  /** `null`: the site is one server. */
  others: Others | null;
  /** Ends all and removes their files. */
  end(): Promise<void>;
}

/**
 * Starts both, as `npm run start:wordpress` does.
 * @param servers With more than one they share a PostgreSQL; WordPress notifies the first.
 */
export async function startWired(servers = 1): Promise<Wired> {
  const folder = temporaryFolder();
  const port = await freePort();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const url = `http://127.0.0.1:${port}`;
  const wordpress = await startWordPress({ directory: join(folder, 'site'), site: { url, secret } });
  const postgres = servers > 1 ? await startPostgres() : null;
  const env = {
    CONTENT_SOURCE: 'wordpress',
    ...{ CONTENT_URL: wordpress.url, CONTENT_KEY: wordpress.key, CONTENT_SECRET: wordpress.secret },
    WEBHOOK_SECRET: secret,
    ...(postgres && { DATABASE_URL: postgres.url, SECRET_KEY: SHARED_KEY }),
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
  const others = postgres && {
    sites: await Promise.all(
      Array.from({ length: servers - 1 }, (_, at) => startSite({ ...env, DATA_DIR: join(folder, `data-${at}`) })),
    ),
    postgres,
  };
  const end = async () => {
    await Promise.all((others?.sites ?? []).map((one) => one.stop('SIGKILL')));
    await site.stop();
    await postgres?.stop();
    await wordpress.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { wordpress, site, others, end };
}
