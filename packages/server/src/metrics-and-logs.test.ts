import { formPath, html, json, pagePath } from '@pillion/content/testing/fake-wordpress.ts';
import { consoleLog as log } from '@pillion/lib/log.ts';
import { parseMetrics } from '@pillion/tests/prometheus.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SITE } from './testing/start-app.ts';
import { startAppForEach } from './testing/start-app-for-each.ts';

/** All log lines, as they are written. */
let lines: Record<string, unknown>[];
/** Start of the server, in epoch milliseconds. */
let begun: number;

beforeEach(() => {
  lines = [];
  begun = Date.now();
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      for (const line of String(text).trim().split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line));
      return true;
    });
});
const app = startAppForEach({ setup: { log, isDelivering: true } });
afterEach(() => vi.restoreAllMocks());

const scrape = async () => parseMetrics(await (await app.request(`${SITE}/metrics`)).text());
const sampleOf = (families: Awaited<ReturnType<typeof scrape>>, name: string, labels: Record<string, string> = {}) =>
  families
    .get(name.replace(/_(?:bucket|sum|count)$/, ''))
    ?.samples.find(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value;

test('/metrics lists requests, renders, calls, content age, sign-ups and process as Prometheus text', async () => {
  await app.request(`${SITE}/`);
  await app.request(`${SITE}/no-such-page/`);
  await app.request(`${SITE}/api/page?path=/`);
  const families = await scrape();
  const has = (name: string, labels: Record<string, string> = {}) => sampleOf(families, name, labels);
  expect(has('pillion_requests_total', { route: 'page', status: '200' })).toBe(1);
  expect(has('pillion_requests_total', { route: 'page', status: '404' })).toBe(1);
  expect(has('pillion_requests_total', { route: 'page-data', status: '200' })).toBe(1);
  expect(has('pillion_request_duration_seconds_count', { route: 'page' })).toBe(2);
  expect(has('pillion_render_duration_seconds_count')).toBe(2);
  expect(has('pillion_render_duration_seconds_sum')).toBeGreaterThan(0);
  expect(has('pillion_content_calls_total', { endpoint: 'routes', outcome: 'ok' })).toBeGreaterThan(0);
  // The age is in seconds, and at most that of the server.
  expect(has('pillion_content_age_seconds', { content: 'menus' })).toBeLessThanOrEqual((Date.now() - begun) / 1000);
  expect(has('pillion_sign_ups', { state: 'waiting' })).toBe(0);
  expect(has('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(has('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  for (const [name, { type }] of families) if (type === 'counter') expect(name).toMatch(/_total$/);
});

test('calls to WordPress are counted by outcome: valid response, HTML, invalid response', async () => {
  app.wordpress.plays.set(pagePath(2), html);
  app.wordpress.plays.set(formPath(1), json({ fields: 'none' }));
  await app.request(`${SITE}/`);
  await app.request(`${SITE}/about/`);
  await app.request(`${SITE}/api/sign-ups/thanks?form_id=1`);
  const outcomes = (await scrape()).get('pillion_content_calls_total')?.samples.map(({ labels }) => labels);
  expect(outcomes).toContainEqual({ endpoint: 'routes', outcome: 'ok' });
  expect(outcomes).toContainEqual({ endpoint: 'pages', outcome: 'bad-response' });
  expect(outcomes).toContainEqual({ endpoint: 'forms', outcome: 'rejected' });
});

test('a page whose path begins like a route of the server counts as a page', async () => {
  for (const path of ['/searching/', '/metrics-of-success', '/de/searches']) await app.request(SITE + path);
  const families = await scrape();
  expect(sampleOf(families, 'pillion_requests_total', { route: 'page', status: '404' })).toBe(3);
});

test('a flood of invented paths adds one label', async () => {
  await scrape();
  const before = (await scrape()).get('pillion_requests_total')?.samples.length ?? 0;
  for (let at = 0; at < 50; at++)
    await app.request(`${SITE}/p${at}/?x=${at}`, { headers: { 'x-request-id': `i${at}` } });
  expect((await scrape()).get('pillion_requests_total')?.samples).toHaveLength(before + 1);
});

test('/metrics is restricted to this machine and private networks, and other clients get 404', async () => {
  const statusFor = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await app.request(`${SITE}/metrics`, { headers }, { incoming: { socket: { remoteAddress } } })).status;
  expect(await statusFor({})).toBe(200);
  expect(await statusFor({}, '::ffff:10.0.0.7')).toBe(200);
  expect(await statusFor({}, '203.0.113.9')).toBe(404);
  expect(await statusFor({ 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  expect(await statusFor({ 'x-forwarded-for': '10.0.0.7' })).toBe(404);
  expect(await statusFor({ forwarded: 'for=10.0.0.7' })).toBe(404);
  await app.reopen({ env: { TRUST_PROXY: 'true' } });
  expect(await statusFor({ 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  expect(await statusFor({ 'x-forwarded-for': '203.0.113.9, 10.0.0.1' })).toBe(404);
  expect(await statusFor({ 'x-forwarded-for': '10.0.0.7' })).toBe(200);
});

test('every response has a unique id, or the valid id of a trusted proxy', async () => {
  const idFor = async (headers: Record<string, string> = {}) =>
    (await app.request(`${SITE}/healthz`, { headers })).headers.get('x-request-id') ?? '';
  const own = await idFor();
  expect(own).toMatch(/^[\da-f]{32}$/);
  expect(await idFor()).not.toBe(own);
  expect(await idFor({ 'x-request-id': 'given-by-somebody' })).toMatch(/^[\da-f]{32}$/);
  await app.reopen({ env: { TRUST_PROXY: 'true' } });
  expect(await idFor({ 'x-request-id': 'given-by-proxy' })).toBe('given-by-proxy');
  for (const insane of ['short', 'ada@example.org', 'x'.repeat(65), 'two words here', '{"a":"b"}'])
    expect(await idFor({ 'x-request-id': insane }), insane).toMatch(/^[\da-f]{32}$/);
  const trace = '0af7651916cd43dd8448eb211c80319c';
  expect(await idFor({ traceparent: `00-${trace}-b7ad6b7169203331-01` })).toBe(trace);
  expect(await idFor({ traceparent: '00-xyz-b7ad6b7169203331-01' })).toMatch(/^[\da-f]{32}$/);
});

test('an error page and its JSON contain the id of its log lines', async () => {
  vi.spyOn(app.content, 'resolve').mockRejectedValue(new Error('the ink is out'));
  const answer = await app.request(`${SITE}/about/?email=ada@example.org`);
  const id = answer.headers.get('x-request-id') ?? 'none';
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain(`Reference: ${id}`);
  const own = lines.filter(({ request_id }) => request_id === id);
  expect(own.map(({ event }) => event)).toEqual(['request failed', 'answered with a fault']);
  expect(JSON.stringify(lines)).not.toContain('ada@example.org');
  const data = await app.request(`${SITE}/api/page?path=/about/`);
  expect(await data.json()).toMatchObject({ page: { reference: data.headers.get('x-request-id') } });
});

test('requests to WordPress carry the id of the visitor’s request', async () => {
  const answer = await app.request(`${SITE}/about/`);
  const sent = app.wordpress.requests.map(({ headers }) => headers['x-request-id']).filter((id) => id !== undefined);
  expect(sent).toContain(answer.headers.get('x-request-id'));
});

test('requests to WordPress carry the trace of a trusted proxy unchanged, and no other trace', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const tracesFor = async (path: string, headers: Record<string, string>) => {
    app.wordpress.requests.length = 0;
    await app.request(SITE + path, { headers });
    const sent = app.wordpress.requests.map(({ headers: { traceparent, tracestate } }) => ({
      traceparent,
      tracestate,
    }));
    return sent.filter(({ traceparent, tracestate }) => traceparent ?? tracestate);
  };
  const trace = { traceparent, tracestate: 'congo=t61rcWkgMzE' };
  expect(await tracesFor('/about/', trace), 'of a visitor').toEqual([]);
  await app.reopen({ env: { TRUST_PROXY: 'true' } });
  expect(await tracesFor('/search?q=about', trace)).toContainEqual(trace);
  expect(await tracesFor('/search?q=us', { ...trace, tracestate: 'x'.repeat(513) })).toContainEqual({ traceparent });
  expect(await tracesFor('/search?q=them', { ...trace, traceparent: 'no trace' })).toEqual([]);
});
