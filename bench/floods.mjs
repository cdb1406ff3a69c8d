// Page time of a visitor during each attack, compared with the time without it. The site has one processor. Visitor,
// attacker and WordPress share the other, with the attacker at the lowest priority, because the attacker's own work is
// not the site's.
import { execFileSync, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { siteFlags } from '@pillion/server/bin/site-flags.mjs';
import { startSite } from '@pillion/tests/site.ts';
import { at, isProgram, memoryOf, ms, processorTime } from './lib/figures.mjs';

const ATTACKS = [
  'stalled readers',
  'idle connections',
  'form numbers',
  'media names',
  'page paths',
  'page paths as JSON',
  'searches',
  'sign-ups',
  'uploads',
  'webhooks',
  'beacons',
  'unsigned drafts',
  'nested drafts',
  'long drafts',
  'drafts at the limit',
  'slow questions',
];
/** Longer names for the table. */
const LABELS = {
  'stalled readers': '300 readers who stand still, from their opening on',
  'idle connections': '500 idle connections',
  'form numbers': 'numbers of forms',
  'media names': 'names of files',
  'page paths': 'paths of pages (404)',
  'page paths as JSON': 'the same as JSON',
  uploads: 'forms with 1 MB',
  webhooks: 'unsigned messages',
  beacons: 'page views for the analytics service',
  'unsigned drafts': 'drafts without a token, 1.9 MB of arrays in arrays',
  'nested drafts': 'the same with an editor’s token, four at a time',
  'long drafts': 'an editor’s drafts of 2 MB, four at a time',
  'drafts at the limit': 'the same of 490,000 characters',
  'slow questions': '450 connections that send 2 MB to `/api/preview/check` and stop',
};
/** Number of pages that the visitor requests in sequence. */
const PAGES = Number(process.env.PAGES ?? 300);
/** Maximum factor by which an attack may slow the visitor's pages. */
const BUDGET = 2;
/**
 * Duration of an attack before the visitor starts, in milliseconds: its connections are open and its budgets used up.
 */
const BEGUN_MS = 2_000;

const may = (program, ...args) => {
  try {
    execFileSync(program, [...args, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const canPin = may('taskset', '-c', '1');
const canRaise = may('nice', '-n', '-10');

/** With autogroups (sched(7)), niceness applies only within a session. This sets the session's niceness. */
function rankSession(niceness) {
  try {
    writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // Another kernel, or another user.
  }
}

/** Prefix that starts a process on one of two processors and with a higher priority, if permitted. */
const under = (processor, niceness) => [
  ...(canPin ? ['taskset', '-c', String(processor)] : []),
  ...(canRaise ? ['nice', '-n', String(niceness)] : []),
];

/** Starts a Node program. @returns The process once it has sent its first message, and that message. */
async function start(file, args, prefix) {
  const [program = process.execPath, ...rest] = [...prefix, process.execPath];
  const child = fork(new URL(`./floods/${file}`, import.meta.url), args, {
    execPath: program,
    execArgv: rest,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const said = await answerOf(child);
  const ask = (what = {}) => {
    child.send(what);
    return answerOf(child);
  };
  return { said, ask, end: () => endOf(child) };
}

const answerOf = (child) =>
  new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`it ended with ${code}`));
    child.once('exit', ended).once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });

const endOf = (child) => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  return ended;
};

const times = (ratio) => `× ${ratio.toFixed(2)}`;
const line = (name, ...cells) =>
  console.log(`  ${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);

const PROBE = new URL('./floods/probe.mjs', import.meta.url).href;

/** Measurements of the site's probe since the last call. */
async function workedFor(site) {
  const workedLines = () => [...site.output().matchAll(/^worked (.*)$/gm)];
  const before = workedLines().length;
  process.kill(site.pid, 'SIGUSR2');
  while (workedLines().length === before) await pause(20);
  return workedLines().at(-1)[1].split(' ').map(Number);
}

/** Runs one attack on a separate site. */
async function attack(name) {
  const wordpress = await start('wordpress.mjs', [], under(1, -20));
  const { url } = wordpress.said;
  const site = await startSite(
    {
      ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: 'ck_bench', CONTENT_SECRET: 'cs_bench' },
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 'x').toString('base64')}`,
      NODE_OPTIONS: `--import=${PROBE}`,
      ...{ ANALYTICS_SCRIPT: '/stats/script.js', ANALYTICS_UPSTREAM: url },
    },
    process.cwd(),
    under(0, -20),
    siteFlags(canPin ? 1 : undefined),
  );
  const visitor = await start('visitor.mjs', [`${site.url}/`], under(1, -20));
  try {
    while (!(await (await fetch(`${site.url}/`)).text()).includes('<form')) await pause(50);
    await (await fetch(`${site.url}/media/film.mp4`)).arrayBuffer();
    // Warm-up.
    await visitor.ask({ pages: PAGES });
    await workedFor(site);
    const without = { took: await visitor.ask({ pages: PAGES }), worked: await workedFor(site) };
    const memory = memoryOf(site.pid);
    const attacker = await start('attacker.mjs', [name, site.url], under(1, 0));
    await pause(BEGUN_MS);
    const before = { spent: processorTime(site.pid), ...(await attacker.ask()), ...(await wordpress.ask()) };
    const begun = performance.now();
    const during = { took: await visitor.ask({ pages: PAGES }) };
    const seconds = (performance.now() - begun) / 1000;
    const after = { spent: processorTime(site.pid), ...(await attacker.ask()), ...(await wordpress.ask()) };
    during.worked = await workedFor(site);
    const grown = Math.round(memoryOf(site.pid) - memory);
    await attacker.end();
    const asked = Math.round((after.sent - before.sent) / seconds);
    const [took, worked] = ['took', 'worked'].map((key) => ({
      medianWithout: at(without[key], 0.5),
      median: at(during[key], 0.5),
      without: at(without[key], 0.99),
      during: at(during[key], 0.99),
      ratio: at(during[key], 0.99) / at(without[key], 0.99),
    }));
    line(
      name,
      ...[ms(took.medianWithout), ms(took.without), ms(took.median), ms(took.during), times(took.ratio)],
      ...[ms(worked.without), ms(worked.during), times(worked.ratio)],
      asked,
      Math.round((after.calls - before.calls) / seconds),
      `${Math.round((after.spent - before.spent) / seconds / 10)} %`,
      `${grown} MB`,
    );
    return { name, took, worked, asked };
  } finally {
    await visitor.end();
    await site.stop('SIGKILL');
    await wordpress.end();
  }
}

/** A row of the table in `docs/reference/security-floods.md`. */
function rowOf({ name, took, worked, asked }) {
  const figures = [took.medianWithout, took.median, took.without, took.during, worked.without, worked.during];
  const cells = [LABELS[name] ?? name, ...figures.map((figure) => figure.toFixed(1)), asked || '–'];
  return `| ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`;
}

/** @returns Whether every attack keeps the budget. */
export async function floods(names = ATTACKS) {
  console.log(`\nA visitor's page time during each attack (budget: p99 × ${BUDGET})`);
  if (!canPin) console.log('  Without taskset or a second processor the attacker uses the processor of the site.');
  line('', 'p50', 'p99', 'p50 then', 'p99 then', '', 'worked p99', 'then', '', 'asked /s', 'to WP /s', 'busy', 'grown');
  const results = [];
  rankSession(-20);
  try {
    for (const name of names) results.push(await attack(name));
  } finally {
    rankSession(0);
  }
  console.log(`\n${results.map(rowOf).join('\n')}`);
  return results.every(({ took }) => took.ratio <= BUDGET);
}

if (isProgram(import.meta.url)) {
  const named = process.argv.slice(2);
  process.exitCode = (await floods(named.length > 0 ? named : ATTACKS)) ? 0 : 1;
}
