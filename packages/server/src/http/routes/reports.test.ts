import { parseMetrics } from '@pillion/tests/prometheus.ts';
import { expect, test } from 'vitest';
import { SITE } from '../../testing/start-app.ts';
import { startAppForEach } from '../../testing/start-app-for-each.ts';

const app = startAppForEach({ setup: { env: { TRUST_PROXY: 'true' } } });

const post = async (body: unknown, from = '203.0.113.9', headers: Record<string, string> = {}) =>
  (
    await app.request(`${SITE}/api/reports`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  ).status;

const metricsText = async () => (await app.request(`${SITE}/metrics`)).text();
const counted = async () =>
  parseMetrics(await metricsText())
    .get('pillion_browser_reports_total')
    ?.samples.map(({ labels: { type, directive, blocked, route }, value }) =>
      [type, directive, blocked, route, value].filter((part) => part !== '').join(' '),
    );

const violation = (body: object = {}, url = `${SITE}/about/?email=ada@example.org`) => ({
  ...{ type: 'csp-violation', age: 5, url, user_agent: 'Canary/1' },
  body: {
    ...{ documentURL: url, effectiveDirective: 'script-src-elem', blockedURL: 'https://canary.example/x.js?canary' },
    ...{ disposition: 'enforce', sample: 'canary', ...body },
  },
});

test('reports of both formats are counted by type, directive, what was refused, and route', async () => {
  const old = {
    'document-uri': `${SITE}/search?q=canary`,
    'violated-directive': "img-src 'self'",
    'blocked-uri': `${SITE}/x`,
  };
  expect(await post([violation(), { type: 'crash', url: `${SITE}/`, body: { reason: 'oom' } }])).toBe(204);
  expect(await post({ 'csp-report': old })).toBe(204);
  expect(await post([violation({ blockedURL: 'inline', effectiveDirective: 'style-src-attr' })])).toBe(204);
  expect(await post('', '203.0.113.9', { referer: `${SITE}/about/` }), 'an uncaught error').toBe(204);
  expect(await counted()).toEqual([
    'csp-violation script-src-elem elsewhere page 1',
    'crash page 1',
    'csp-violation img-src own search 1',
    'csp-violation style-src-attr inline page 1',
    'error page 1',
  ]);
  expect(await metricsText()).not.toMatch(/canary|ada@|about/i);
});

test('a visitor counts once for each kind, another visitor again', async () => {
  for (const from of ['203.0.113.9', '203.0.113.9', '2001:db8::1', '2001:db8::2', '203.0.113.10'])
    expect(await post([violation(), violation()], from)).toBe(204);
  expect(await counted()).toEqual(['csp-violation script-src-elem elsewhere page 3']);
});

test('reports about extensions, other sites and policies that are not enforced are dropped', async () => {
  const dropped = [
    violation({ blockedURL: 'chrome-extension' }),
    violation({ sourceFile: 'moz-extension://4f5a/content.js' }),
    violation({ blockedURL: 'safari-web-extension://4f5a/x.js' }),
    violation({ sourceFile: 'resource' }),
    violation({ disposition: 'report' }),
    violation({}, 'https://elsewhere.example/'),
    violation({}, 'nowhere'),
    { type: 'csp-violation' },
    null,
  ];
  expect(await post(dropped)).toBe(204);
  for (const body of ['not json', '{}', '[[]]', '7']) expect(await post(body), body).toBe(204);
  expect(await post('', '203.0.113.9', { referer: 'https://elsewhere.example/' })).toBe(204);
  expect(await counted()).toEqual([]);
});

test('invented words add no label', async () => {
  for (let at = 0; at < 60; at++) {
    const body = { effectiveDirective: `made-up-${at}`, blockedURL: `made-up-${at}` };
    await post([{ ...violation(body), type: `made-up-${at}` }, violation(body, `${SITE}/p${at}/`)], `198.51.100.${at}`);
    await post([violation({ ...body, blockedURL: `trusted-types-${at}` })], `203.0.113.${at}`);
  }
  expect(await counted()).toEqual(['other page 60', 'csp-violation other elsewhere page 120']);
});

test('a report that is too large, or of another site, is refused', async () => {
  expect(await post(' '.repeat(65_537))).toBe(413);
  expect(await post([violation()], '203.0.113.9', { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await post([violation()], '203.0.113.9', { origin: 'https://elsewhere.example' })).toBe(403);
  expect(await counted()).toEqual([]);
});
