// What an honest visitor waits while one attacker does his worst, beside what she waits without him. The site has a
// processor to itself; visitor, attacker and WordPress share the other, the attacker last: what an attacker's own work
// takes of this machine is not the site's doing.
import { execFileSync, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { siteFlags } from '@pillion/scripts/lib/site-flags.mjs';
import { startSite } from '@pillion/tests/site.ts';

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
/** What the table calls them, where that is more. */
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
/** Pages that the visitor asks for, one after the other. */
const PAGES = Number(process.env.PAGES ?? 300);
/** What she waits while the attack runs, of what she waits without it. */
const BUDGET = 2;
/** An attack runs so long before the visitor comes, in milliseconds: its connections are open, budgets used up. */
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

/** Where each session has a share of its own (sched(7), autogroup), niceness counts inside it alone: this sets the session's. */
function rankSession(niceness) {
  try {
    writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // Another kernel, or another user.
  }
}

/** How a process is started: on one processor, where there are two, and before the machine's other work, where that is allowed. */
const under = (processor, niceness) => [
  ...(canPin ? ['taskset', '-c', String(processor)] : []),
  ...(canRaise ? ['nice', '-n', String(niceness)] : []),
];

/** Node as one of our programs. @returns The process, once it has said that it is there, and what it said. */
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

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const ms = (value) => `${value.toFixed(1)} ms`;
const times = (ratio) => `× ${ratio.toFixed(2)}`;
const line = (name, ...cells) =>
  console.log(`  ${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);

/** Processor time a process has used so far, in milliseconds: the kernel counts in ticks of 10 ms (proc(5)). */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory of a process, in MB. */
const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const PROBE = new URL('./floods/probe.mjs', import.meta.url).href;

/** What the site's probe has seen since it was last asked. */
async function workedFor(site) {
  const told = () => [...site.output().matchAll(/^worked (.*)$/gm)];
  const before = told().length;
  process.kill(site.pid, 'SIGUSR2');
  while (told().length === before) await pause(20);
  return told().at(-1)[1].split(' ').map(Number);
}

/** One attack on a site of its own. */
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
    process.cwd(),
    siteFlags(canPin ? 1 : undefined),
  );
  const visitor = await start('visitor.mjs', [`${site.url}/`], under(1, -20));
  try {
    while (!(await (await fetch(`${site.url}/`)).text()).includes('<form')) await pause(50);
    await (await fetch(`${site.url}/media/film.mp4`)).arrayBuffer();
    // Once for the compiler.
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

/** @returns Whether every attack keeps within the budget. */
export async function floods(names = ATTACKS) {
  console.log(`\nA visitor's page while one attacker does his worst (budget: p99 × ${BUDGET})`);
  if (!canPin) console.log('  Without taskset or a second processor the attacker takes the time of the site itself.');
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const named = process.argv.slice(2);
  process.exitCode = (await floods(named.length > 0 ? named : ATTACKS)) ? 0 : 1;
}
