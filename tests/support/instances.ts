import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  type FakeWordpress,
  json,
  page,
  pagePath,
  serveSite,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { signedHeaders } from '@pillion/lib/standard-webhooks.ts';
import { type RunningPostgres, startPostgres } from '@pillion/scripts/postgres.mjs';
import { Client } from 'pg';
import { SHARED_KEY } from './sign-ups.ts';
import { createFolder, type RunningSite, startSite } from './site.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** The response to a webhook. */
export interface Receipt {
  status: number;
  ok?: boolean;
  reason?: string;
  tookMs?: number;
  servers?: { live: number; of: number; late: string[] };
}

/** Servers of one site: a PostgreSQL, a WordPress that a test controls, and processes as they run in production. */
export interface Fleet {
  postgres: RunningPostgres;
  wordpress: FakeWordpress;
  sites: RunningSite[];
  /** Starts one more, with a separate folder unless `env` names one. */
  add: (env?: Record<string, string>) => Promise<RunningSite>;
  /** Changes the second page to this text without a webhook. */
  changePage: (text: string) => void;
  /** Sends a server the webhook for a change of the second page. @param id Of the message. */
  notify: (site: RunningSite, id?: string, change?: object) => Promise<Receipt>;
  /** Runs SQL in the database they share. */
  runSql: (text: string) => Promise<Record<string, unknown>[]>;
  /** The second page as a visitor of the server gets it. */
  readPage: (site: RunningSite) => Promise<string>;
  end: () => Promise<void>;
}

/** @param prepare Sets the content of WordPress before the first request of a server. */
export async function startFleet(
  servers: number,
  prepare: (wordpress: FakeWordpress) => void = () => {},
): Promise<Fleet> {
  // Servers wait one second for the database. Its processes are killed, never the machine, so no commit has to reach the disk.
  const postgres = await startPostgres({ settings: { fsync: 'off' } });
  const wordpress = await startFakeWordpress();
  serveSite(wordpress);
  prepare(wordpress);
  const sites: RunningSite[] = [];
  const folders: string[] = [];
  const fleet: Fleet = {
    ...{ postgres, wordpress, sites },
    async add(env = {}) {
      const folder = env.DATA_DIR ?? createFolder();
      if (!folders.includes(folder)) folders.push(folder);
      const site = await startSite({
        ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
        ...{ WEBHOOK_SECRET: SECRET, TRUST_PROXY: 'true' },
        ...{ DATABASE_URL: postgres.url, SECRET_KEY: SHARED_KEY, DATA_DIR: folder },
        ...env,
      });
      sites.push(site);
      return site;
    },
    changePage: (text) =>
      void wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: `<p>${text}</p>` } }))),
    async notify(
      { url },
      id = `msg_${randomUUID()}`,
      change = { type: 'page', id: 2, path: '/about/', status: 'publish' },
    ) {
      const body = JSON.stringify(change);
      const headers = signedHeaders(SECRET, id, body, Date.now());
      const response = await fetch(`${url}/api/revalidate`, { method: 'POST', body, headers });
      return { status: response.status, ...((await response.json()) as object) };
    },
    async runSql(text) {
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      const { rows } = await client.query(text).finally(() => client.end());
      return rows;
    },
    readPage: async ({ url }) => (await fetch(`${url}/about/`)).text(),
    async end() {
      await Promise.all(sites.map((site) => site.stop('SIGKILL')));
      await wordpress.stop();
      await postgres.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let at = 0; at < servers; at += 1) await fleet.add();
  return fleet;
}
