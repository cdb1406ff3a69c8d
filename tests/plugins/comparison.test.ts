import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordAnswers } from './record.ts';
import { keyOf, runTrials, type TrialResult } from './run-trials.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';
import { writeTable } from './table.ts';
import { makeForms } from './trial.ts';
import { TRIAL_FORMS } from './trial-forms.ts';

/** All results of a run, for the analysis of a difference. */
const REPORT = join(import.meta.dirname, '../../test-results/gravity-forms.json');

/** `TRIALS=name,name` runs only these. */
const wanted = (process.env.TRIALS ?? '').split(',').filter(Boolean);
const trials = TRIAL_FORMS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const keys = trials.flatMap((trial) => trial.rows.map((row) => keyOf(trial, row)));

/** Longest duration of a run in milliseconds. It takes five minutes on an idle machine. */
const LONGEST_RUN_MS = 3_600_000;

describe.skipIf(!owned.gravityforms)(
  'R30: entries through Pillion are identical to those made on Gravity Forms’ own page',
  () => {
    let site: PluginSite;
    let results = new Map<string, TrialResult>();

    beforeAll(async () => {
      site = await startPluginSite({ plugins: ['gravityforms'] });
      const pillion = await site.startPillion({ TRUST_PROXY: 'true', CONTENT_TIMEOUT_MS: '30000' });
      const forms = makeForms(site, trials);
      results = await runTrials(site, pillion, forms);
      if (wanted.length === 0) await recordAnswers(site, forms);
      mkdirSync(dirname(REPORT), { recursive: true });
      const report = [...results].map(([key, { made: _made, row: _row, ...rest }]) => [key, rest]);
      writeFileSync(REPORT, `${JSON.stringify(Object.fromEntries(report), null, 2)}\n`);
      // A partial run does not update the table.
      if (wanted.length === 0) writeTable(results, site.versions.gravityforms ?? 'unknown');
    }, LONGEST_RUN_MS);
    afterAll(() => site?.stop());

    test.each(keys)('%s', (key) => {
      const result = results.get(key);
      const { finding, differences } = result?.compared ?? { finding: 'never tried', differences: {} };
      const { finding: wanted = expect.stringMatching(/^(?:same|refused by both)$/), parts = [] } =
        result?.row.expected ?? {};
      const found = { finding, parts: Object.keys(differences).sort(), differences };
      expect(found).toEqual({ finding: wanted, parts: [...parts].sort(), differences: expect.anything() });
    });

    test.each(trials)('$name: the plugin lists exactly what differs', ({ name, named = [] }) => {
      const result = [...results.values()].find(({ made }) => made.trial.name === name);
      expect(result?.named.toSorted()).toEqual(named.toSorted());
    });
  },
);
