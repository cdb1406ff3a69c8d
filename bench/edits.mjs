// Time until three servers on one PostgreSQL show a change that one received. WordPress is a local server that responds
// at once, so that only the site's time is measured. A journey measures it with a real WordPress, its editor and one server
// (`receipt.spec.ts`, @figure).
import { startFleet } from '@pillion/tests/instances.ts';
import { isProgram, median, ms, row } from './lib/figures.mjs';

const SERVERS = 3;
const EDITS = 20;
/** Includes WordPress' time. */
const BUDGET_MS = 5_000;

/** @returns Milliseconds until the response that all servers show the change, and whether they do. */
async function edit(fleet, at) {
  const text = `Edit number ${at}`;
  fleet.write(text);
  const begun = performance.now();
  const { servers } = await fleet.tell(fleet.sites[at % SERVERS]);
  const took = performance.now() - begun;
  const shown = await Promise.all(fleet.sites.map(fleet.read));
  const isRight = servers?.live === SERVERS && shown.every((html) => html.includes(text));
  return { took, isRight };
}

/** Prints the figures. @returns Whether they keep the budget and each receipt was right. */
export async function edits() {
  console.log(`\nAn edit on ${SERVERS} servers with one PostgreSQL (${EDITS} edits, WordPress answers at once)`);
  const fleet = await startFleet(SERVERS);
  try {
    // Waits until all servers know each other.
    while ((await fleet.tell(fleet.sites[0])).servers?.live !== SERVERS);
    const edits = [];
    for (let at = 0; at < EDITS; at++) edits.push(await edit(fleet, at));
    const times = edits.map(({ took }) => took);
    const right = edits.filter(({ isRight }) => isRight).length;
    row('', 'median', 'slowest');
    row('live on all, by the receipt', ms(median(times), 0), ms(Math.max(...times), 0));
    row('receipts that were right', `${right} of ${EDITS}`);
    return median(times) <= BUDGET_MS && right === EDITS;
  } finally {
    await fleet.end();
  }
}

if (isProgram(import.meta.url)) process.exitCode = (await edits()) ? 0 : 1;
