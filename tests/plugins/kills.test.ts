import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCrowd } from '../support/crowd.ts';
import { countSignUps, readSignUps } from '../support/sign-ups.ts';
import { createFolder, findFreePort, startSite } from '../support/site.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/**
 * `FAULTS=full` sends ten thousand sign-ups with thirty kills, otherwise a short run. `SIGN_UPS` and `KILLS` override
 * this.
 */
const IS_FULL = process.env.FAULTS === 'full';
const SIGN_UPS = Number(process.env.SIGN_UPS ?? (IS_FULL ? 10_000 : 60));
const KILLS = Number(process.env.KILLS ?? (IS_FULL ? 30 : 3));

const VISITORS = 6;
/** Longest duration of the run in milliseconds. PHP's built-in server handles a few sign-ups per second. */
const WITHIN_MS = IS_FULL || process.env.SIGN_UPS ? 7_200_000 : 600_000;
/** Entries per read. */
const PAGE = 500;

let site: PluginSite;
let form: number;
beforeAll(async () => {
  if (!owned.gravityforms) return;
  site = await startPluginSite({ plugins: ['gravityforms'] });
  form = site.phpValue<number>(
    `return GFAPI::add_form( array( 'title' => 'Kills', 'is_active' => true, 'fields' => array(
      array( 'id' => 1, 'type' => 'text', 'label' => 'Name' ), array( 'id' => 2, 'type' => 'email', 'label' => 'Email' ), array( 'id' => 3, 'type' => 'textarea', 'label' => 'Words' ) ) ) );`,
  );
});
afterAll(() => site?.stop());

/** Unique values that reveal wrong encoding, slashes or truncation. Browsers end lines in forms with CRLF. */
const valuesOf = (id: string) => ({
  1: String.raw`C:\new "${id}" \\x 'y' %41+&=`,
  2: `${id}@example.org`,
  3: `one\r\ntwo 🏍️ \\ ${id} {"a":"\\n"}`,
});

const formFor = (id: string) => {
  const values = valuesOf(id);
  const answers = { input_1: values[1], input_2: values[2], input_3: values[3] };
  return new URLSearchParams({ form_id: `${form}`, sign_up_id: id, ...answers });
};

interface Entry {
  id: string;
  values: Record<string, string>;
}

function entries(): Entry[] {
  const all: Entry[] = [];
  for (let from = 0; ; from += PAGE) {
    const page = site.phpValue<Entry[]>(
      `return array_map( function ( $entry ) { return array( 'id' => $entry['pillion_sign_up_id'], 'values' => array( 1 => $entry['1'], 2 => $entry['2'], 3 => $entry['3'] ) ); },
        GFAPI::get_entries( ${form}, array(), array( 'key' => 'id', 'direction' => 'ASC' ), array( 'offset' => ${from}, 'page_size' => ${PAGE} ) ) );`,
    );
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

test.skipIf(!owned.gravityforms)(
  `invariants 1 and 5: ${KILLS} kills: each confirmed sign-up has one entry, with every value as typed`,
  async () => {
    const dataDirectory = createFolder();
    const { url, key, secret } = site.wordpress;
    const env = {
      ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret },
      ...{ DATA_DIR: dataDirectory, TRUST_PROXY: 'true', PORT: String(await findFreePort()) },
    };
    const thanked = new Set<string>();
    const begun = performance.now();
    const endCrowd = startCrowd(`http://127.0.0.1:${env.PORT}`, VISITORS, thanked, formFor);
    const isEnough = () =>
      expect.poll(() => thanked.size, { timeout: WITHIN_MS, interval: 5 }).toBeGreaterThanOrEqual(SIGN_UPS);
    const allCame = isEnough().then(endCrowd);
    const delivered = async () => (await countSignUps(dataDirectory, null)).delivered;
    for (let kill = 1; kill <= KILLS; kill++) {
      const pillion = await startSite(env);
      // Spread over all deliveries, so that each kill interrupts some.
      const due = Math.floor((SIGN_UPS * kill) / (KILLS + 1));
      await expect.poll(delivered, { timeout: WITHIN_MS, interval: 100 }).toBeGreaterThanOrEqual(due);
      await pillion.stop('SIGKILL');
    }
    const pillion = await startSite(env);
    await allCame;
    const open = async () => {
      const { waiting, leased, dead } = await countSignUps(dataDirectory, null);
      return [waiting + leased, dead];
    };
    await expect.poll(open, { timeout: WITHIN_MS, interval: 1_000 }).toEqual([0, 0]);
    const kept = await readSignUps(dataDirectory, null);
    const found = entries();
    await pillion.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
    const attempts = kept.reduce((sum, row) => sum + row.attempts, 0);
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(
      `Gravity Forms: thanked ${thanked.size}, kills ${KILLS}, entries ${found.length}, attempts ${attempts}; ${seconds} s`,
    );
    expect(thanked.size).toBeGreaterThanOrEqual(SIGN_UPS);
    const ids = found.map(({ id }) => id);
    expect([...thanked].filter((id) => !ids.includes(id))).toEqual([]);
    // Each confirmed sign-up once, and no other.
    expect(ids.toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
    for (const { id, values } of found) expect(values).toEqual({ ...valuesOf(id) });
  },
  WITHIN_MS,
);
