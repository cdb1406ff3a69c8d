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
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { Client } from 'pg';
import { SHARED_KEY } from './sign-ups.ts';
import { createFolder, type RunningSite, startSite } from './site.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** The response to a webhook. */
interface Receipt {
  status: number;
  ok?: boolean;
  reason?: string;
  tookMs?: number;
  servers?: { live: number; of: number; late: string[] };
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/**
 * Starts three servers of one site, with a PostgreSQL and a WordPress that the test controls.
 * @param prepare Sets the content of WordPress before the first request of a server.
 */
export async function startFleet(prepare: (wordpress: FakeWordpress) => void = () => {}) {
  // Servers wait one second for the database. Its processes are killed, never the machine, so no commit has to reach the disk.
  const postgres = await startPostgres({ fsync: 'off' });
  const wordpress = await startFakeWordpress();
  serveSite(wordpress);
  prepare(wordpress);
  const sites: RunningSite[] = [];
  const folders = new Set<string>();
  /** Starts one more server, with a separate folder unless `env` names one. */
  async function add(env: Record<string, string> = {}): Promise<RunningSite> {
    const folder = env.DATA_DIR ?? createFolder();
    folders.add(folder);
    const site = await startSite({
      ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
      ...{ WEBHOOK_SECRET: SECRET, TRUST_PROXY: 'true' },
      ...{ DATABASE_URL: postgres.url, SECRET_KEY: SHARED_KEY, DATA_DIR: folder },
      ...env,
    });
    sites.push(site);
    return site;
  }
  for (let started = 0; started < 3; started += 1) await add();
  return {
    ...{ postgres, wordpress, sites, add },
    /** Changes the second page to this text without a webhook. */
    changePage: (text: string) =>
      void wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: `<p>${text}</p>` } }))),
    /** Sends a server the webhook for a change of the second page. @param id Of the message. */
    async notify(
      { url }: RunningSite,
      id = `msg_${randomUUID()}`,
      change: object = { type: 'page', id: 2, path: '/about/', status: 'publish' },
    ): Promise<Receipt> {
      const body = JSON.stringify(change);
      const headers = signedHeaders(SECRET, id, body, Date.now());
      const response = await fetch(`${url}/api/revalidate`, { method: 'POST', body, headers });
      return { status: response.status, ...((await response.json()) as object) };
    },
    /** Runs SQL in the database that they share. */
    async runSql(text: string): Promise<Record<string, unknown>[]> {
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      const { rows } = await client.query(text).finally(() => client.end());
      return rows;
    },
    /** The second page as a visitor of the server gets it. */
    readPage: async ({ url }: RunningSite) => (await fetch(`${url}/about/`)).text(),
    async end() {
      await Promise.all(sites.map((site) => site.stop('SIGKILL')));
      await wordpress.stop();
      await postgres.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
