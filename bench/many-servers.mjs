// Three servers behind nginx on one PostgreSQL: responses per second, compared with one server, and responses per second
// of the servers' processor time, compared with three servers that share nothing. So the second figure is the price of
// sharing. Compared with one server it would be the machine's: on two cores any three processes slow each other down.
// The page is the search, which is rendered for each request and never cached. For a cached page nginx would dominate.
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { startNginx } from '@pillion/tests/nginx.ts';
import { freePort, startSite, temporaryFolder } from '@pillion/tests/site.ts';
import autocannon from 'autocannon';
import { isProgram, median, processorTime, row } from './lib/figures.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = 3;
const CONNECTIONS = 48;
/** Minimum factor of three servers over one. */
const BUDGET = 2.5;
/** Minimum factor of three servers over three that share nothing. */
const SHARING_BUDGET = 0.9;
/** Three servers, nginx and the client. With fewer cores they would slow each other down. */
const CORES = 5;

async function startSide(name, count, shared, folder) {
  const ports = [];
  const sites = [];
  for (let at = 0; at < count; at++) {
    const port = await freePort();
    ports.push(port);
    sites.push(await startSite({ PORT: String(port), TRUST_PROXY: '1', ...shared }));
  }
  const directory = join(folder, name);
  mkdirSync(directory);
  const nginx = await startNginx(directory, ports, 2);
  return { sites, nginx, perSecond: [], perProcessorSecond: [] };
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
    const shared = { DATABASE_URL: postgres.url, SECRET_KEY: 'the key of the bench, shared by all' };
    sides.push(await startSide('one', 1, shared, folder));
    sides.push(await startSide('three', 3, shared, folder));
    sides.push(await startSide('apart', 3, {}, folder));
    // The first round is warm-up in each server.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of sides) await measure(side);
      if (round > 0) continue;
      for (const side of sides) for (const list of [side.perSecond, side.perProcessorSecond]) list.length = 0;
    }
    const [one, three, apart] = sides;
    const cores = availableParallelism();
    const isWide = cores >= CORES;
    console.log(`\nThree servers behind nginx, ${cores} cores`);
    row('', 'three', 'compared', 'factor', 'budget');
    const compare = (name, of, other, budget) => {
      const [a, b] = [median(of(three)), median(of(other))];
      const isGood = !budget || a / b >= budget;
      row(
        name,
        Math.round(a),
        Math.round(b),
        `× ${(a / b).toFixed(2)}`,
        budget ? `≥ ${budget}` : '–',
        isGood ? '' : 'OVER',
      );
      return isGood;
    };
    const isGood = [
      compare('pages a second, of one server', ({ perSecond }) => perSecond, one, isWide ? BUDGET : null),
      compare('a processor second, of three apart', (side) => side.perProcessorSecond, apart, SHARING_BUDGET),
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
