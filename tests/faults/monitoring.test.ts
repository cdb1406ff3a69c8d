import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { expect, test } from 'vitest';
import { parseMetrics } from '../support/prometheus.ts';
import { SHARED_KEY } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { folder, forTest } = undoAfterEach();

const FOLDER = 'deploy/monitoring';
const ALERTS = readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8');
const PANELS: { title: string; targets: { expr: string }[] }[] = JSON.parse(
  readFileSync(join(FOLDER, 'grafana.json'), 'utf8'),
).panels;

/** The panels' queries, with a range in place of Grafana's variable. */
const QUERIES = PANELS.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));

function promtool(args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync('/usr/bin/promtool', args, { encoding: 'utf8', input });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
}

test('each problem fires its alert, and a healthy site fires none', () => {
  promtool(['check', 'rules', join(FOLDER, 'alerts.yaml')]);
  promtool(['test', 'rules', join(FOLDER, 'alerts.test.yaml')]);
  const alerts = [...ALERTS.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const fired = readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8').matchAll(/alertname: (\w+)\n +exp_alerts:\s/g);
  expect([...fired].map(([, name]) => name)).toEqual(alerts);
});

test('Prometheus accepts the queries of the dashboard', () => {
  const rules = QUERIES.map((expr, at) => ({ record: `panel:${at}`, expr }));
  const file = join(folder(), 'panels.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  promtool(['check', 'rules', file]);
});

test('a server has valid metrics, and each that the alerts and the dashboard name', async () => {
  const postgres = await forTest(startPostgres());
  const site = await forTest(
    startSite({
      DATABASE_URL: postgres.url,
      SECRET_KEY: SHARED_KEY,
      DESTINATION_URL: 'http://127.0.0.1:1/',
      DESTINATION_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    }),
  );
  expect((await fetch(`${site.url}/`)).status).toBe(200);
  const text = await (await fetch(`${site.url}/metrics`)).text();
  promtool(['check', 'metrics'], text);
  const shown = parseMetrics(text);
  const named = (ALERTS + QUERIES.join('\n')).match(/\b(?:pillion|nodejs|process)_\w+/g) ?? [];
  const names = new Set(named.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !shown.has(name))).toEqual([]);
});
