// Three servers behind nginx on one PostgreSQL, compared with one server: responses per second, and per second of the
// servers' processor time. The page is the search, which is rendered for each request and never cached. For a cached
// page nginx would dominate.
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { startNginx } from '@pillion/tests/nginx.ts';
import { freePort, startSite, temporaryFolder } from '@pillion/tests/site.ts';
import autocannon from 'autocannon';
import { isProgram, median, processorTime, row } from './lib/figures.mjs';

const COUNTS = [1, 3];
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = 3;
const CONNECTIONS = 48;
/** Minimum factor of three servers over one. */
const BUDGET = 2.5;
/** Three servers, nginx and the client. With fewer cores they would slow each other down. */
const CORES = 5;

async function startSide(count, databaseUrl, folder) {
  const ports = [];
  const sites = [];
  for (let at = 0; at < count; at++) {
    const port = await freePort();
    ports.push(port);
    const shared = { DATABASE_URL: databaseUrl, SECRET_KEY: 'the key of the bench, shared by all' };
    sites.push(await startSite({ PORT: String(port), TRUST_PROXY: '1', ...shared }));
  }
  const directory = join(folder, `nginx-${count}`);
  mkdirSync(directory);
  const nginx = await startNginx(directory, ports, 2);
  return { count, sites, nginx, perSecond: [], perProcessorSecond: [] };
}

let asked = 0;
const next = (request) => ({ ...request, path: `/search?n=${asked++}`, headers: { 'accept-encoding': 'br' } });

async function measure({ sites, nginx, perSecond, perProcessorSecond }) {
  const used = () => sites.reduce((sum, { pid }) => sum + processorTime(pid), 0);
  const before = used();
  const { requests, duration, non2xx } = await autocannon({
    ...{ url: nginx.url, connections: CONNECTIONS, duration: SECONDS },
    requests: [{ setupRequest: next }],
  });
  if (non2xx > 0) throw new Error(`${non2xx} requests were not answered with a page`);
  perSecond.push(requests.total / duration);
  perProcessorSecond.push((1000 * requests.total) / (used() - before));
}

/** @returns Whether three servers reach the budget. */
export async function manyServers() {
  const folder = temporaryFolder();
  const postgres = await startPostgres();
  const sides = [];
  try {
    for (const count of COUNTS) sides.push(await startSide(count, postgres.url, folder));
    // The first round is warm-up in each server.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of sides) await measure(side);
      if (round > 0) continue;
      for (const side of sides) for (const list of [side.perSecond, side.perProcessorSecond]) list.length = 0;
    }
    const [one, three] = sides;
    const cores = availableParallelism();
    const isWide = cores >= CORES;
    console.log(`\nThree servers behind nginx beside one, ${cores} cores`);
    row('', 'one', 'three', 'of one', 'budget');
    const compare = (name, of, budget) => {
      const [a, b] = [median(of(one)), median(of(three))];
      const cells = [Math.round(a), Math.round(b), `× ${(b / a).toFixed(2)}`];
      row(name, ...cells, budget ? `≥ ${budget.toFixed(2)}` : '–', !budget || b / a >= budget ? '' : 'OVER');
      return !budget || b / a >= budget;
    };
    const isGood = [
      compare('pages a second of the machine', ({ perSecond }) => perSecond, isWide ? BUDGET : null),
      // With three servers a request may cost a sixth more than with one, which gives a factor of 2.5 with enough
      // cores.
      compare('pages a processor second of the servers', (side) => side.perProcessorSecond, BUDGET / 3),
    ];
    if (!isWide) row(`(× ${BUDGET} a second needs ${CORES} cores: three servers, nginx and the client)`);
    return isGood.every(Boolean);
  } finally {
    for (const { sites, nginx } of sides) {
      await nginx.stop();
      for (const site of sites) await site.stop();
    }
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isProgram(import.meta.url)) process.exitCode = (await manyServers()) ? 0 : 1;
