import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '@pillion/lib/testing/body.ts';
import type { Page } from '@playwright/test';
import { createEmail, fillForm, getButton, getEmailField, getThanks, visitForm } from '../support/sign-up-form.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { expect, FORM_TEXTS, followLink, test, visitPage, waitForScript } from './test.ts';

const SCRIPT = '/insights/script.js';

/** A fake analytics service: takes over the queue, and sends each view to the folder of its script. */
const SERVICE = `
  const send = (event, data) =>
    fetch('/insights/' + event, { method: 'POST', keepalive: true, body: JSON.stringify({ event, ...data }) })
      // A figure that is sent while the page closes may get no response.
      .catch(() => {});
  for (const told of window.vaq ?? []) send(...told);
  window.va = send;
`;

interface View {
  event: string;
  route: string;
  path: string;
}

let service: Server;
let upstream: string;
let views: View[];
let vitals: { name: string; data: Record<string, unknown> }[];
let asked: { url: string; cookie: string | undefined }[];

test.beforeEach(async () => {
  views = [];
  vitals = [];
  asked = [];
  service = createServer(async (request, response) => {
    const { url = '', headers } = request;
    asked.push({ url, cookie: headers.cookie });
    const body = await bodyOf(request);
    if (body === null) return;
    if (url.endsWith('/script.js')) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'set-cookie': 'tracked=1' }).end(SERVICE);
    } else if (/\/(?:pageview|event)$/.test(url)) {
      const told = JSON.parse(body.toString('utf8'));
      if (url.endsWith('/event')) vitals.push(told);
      else views.push(told);
      response.writeHead(204).end();
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}/stats`;
});
test.afterEach(async () => {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

const view = (path: string, route = path): View => ({ event: 'pageview', route, path });

test('R46: each shown page is one view with route and path, sent to the site only, without cookies @firefox @lean', async ({
  page,
  context,
  startOwnSite,
}) => {
  const site = await startOwnSite({ ANALYTICS_SCRIPT: SCRIPT, ANALYTICS_UPSTREAM: upstream });
  await context.addCookies([{ name: 'mine', value: '1', url: site.url }]);
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(`${site.url}/`);
  await waitForScript(page);
  await expect.poll(() => views).toEqual([view('/')]);
  await followLink(page, '/paper-notes/');
  await expect.poll(() => views).toHaveLength(2);
  await page.evaluate(() => void setTimeout(() => history.back()));
  await expect.poll(() => views).toHaveLength(3);
  await page.evaluate(() => void setTimeout(() => history.forward()));
  await expect.poll(() => views).toHaveLength(4);
  await followLink(page, '/no-such-page/');
  await expect
    .poll(() => views)
    .toEqual([view('/'), view('/paper-notes/'), view('/'), view('/paper-notes/'), view('/no-such-page/', '/404')]);
  // A jump within the page is not another page.
  await page.goto(`${site.url}/#form`);
  await waitForScript(page);
  await expect.poll(() => views).toHaveLength(6);
  expect(asked[0]?.url).toBe('/stats/script.js');
  expect([...hosts]).toEqual([new URL(site.url).host]);
  expect(asked.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['mine']);
});

const warnings = (page: Page) => {
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && said.push(message.text()));
  return said;
};

// Any deployment counts as production; workbench.spec.ts tests the other advice.
test('R48: if the script cannot be loaded, a deployment suggests to enable analytics, and the page works', async ({
  page,
  startOwnSite,
  watched,
}) => {
  const site = await startOwnSite({ ANALYTICS_SCRIPT: SCRIPT, DEPLOY_ENV: 'staging' });
  const said = warnings(page);
  await page.goto(`${site.url}/`);
  await waitForScript(page);
  await expect
    .poll(() => said.filter((text) => text.startsWith('Analytics')))
    .toEqual([expect.stringMatching(/enable analytics for this project/i)]);
  await followLink(page, '/paper-notes/');
  await expect(page).toHaveURL(`${site.url}/paper-notes/`);
  // The response is not a script, and the browser reports that too.
  watched.length = 0;
});

const MEMBERS = [
  'calm',
  'metric',
  'navigation',
  'part',
  'partMs',
  'path',
  'rating',
  'sound',
  'target',
  'tier',
  'value',
];

test('web vitals are sent once each with their cause, without data about the visitor', async ({
  page,
  startOwnSite,
}) => {
  const site = await startOwnSite({ ANALYTICS_SCRIPT: SCRIPT, ANALYTICS_UPSTREAM: upstream });
  await page.goto(`${site.url}/?utm_source=letter&email=ada%40example.org`);
  await waitForScript(page);
  await expect.poll(() => vitals.map(({ data }) => data.metric)).toEqual(expect.arrayContaining(['FCP', 'TTFB']));
  // Browsers report only slow presses.
  await page.evaluate(() =>
    document.addEventListener('click', () => {
      for (const until = performance.now() + 80; performance.now() < until; );
    }),
  );
  // Waits for the click, with the threshold of web-vitals: `pointerdown` is reported one frame earlier.
  await page.evaluate(() => {
    const watch = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => name === 'click')) document.documentElement.dataset.told = '';
    });
    watch.observe({ type: 'event', durationThreshold: 40 } as PerformanceObserverInit);
  });
  await page.getByRole('button', { name: 'sound' }).click();
  await expect(page.getByRole('button', { name: 'sound' })).toHaveAttribute('aria-pressed', 'true');
  // The browser reports it with the next frame that it draws, and on a busy machine a page at rest may draw none: the
  // screenshot makes it draw one.
  await expect(async () => {
    await page.screenshot();
    await expect(page.locator('html')).toHaveAttribute('data-told', '', { timeout: 500 });
  }).toPass();
  // web-vitals processes the report when the page is idle.
  await page.evaluate(async () => {
    // A busy machine may never be idle. Then web-vitals processes it when the page closes.
    for (let idle = 0; idle < 2; idle++)
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }));
  });
  // Browsers measure a page inside the shell only after a visitor's own click.
  await followLink(page, '/paper-notes/');
  await expect.poll(() => views).toHaveLength(2);
  await followLink(page, '/');
  await expect.poll(() => views).toHaveLength(3);
  // When the page closes, all figures have been sent.
  await page.goto('about:blank');
  const figures = () => vitals.map(({ data }) => data.metric as string).sort();
  await expect.poll(figures).toEqual(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']);
  for (const { name, data } of vitals) {
    expect(name).toBe('web-vital');
    expect(Object.keys(data).sort()).toEqual(MEMBERS);
    expect(data).toMatchObject({
      value: expect.any(Number),
      rating: expect.stringMatching(/^(?:good|needs-improvement|poor)$/),
      path: '/',
      navigation: 'navigate',
      tier: expect.stringMatching(/^(?:low|middle|high)$/),
      calm: false,
    });
    // Flat, as the service requires.
    expect(Object.values(data).filter((value) => typeof value === 'object' && value !== null)).toEqual([]);
  }
  const of = (metric: string) => vitals.find(({ data }) => data.metric === metric)?.data;
  expect(of('CLS')).toMatchObject({ rating: 'good', sound: true });
  expect(of('INP')).toMatchObject({ target: expect.any(String), part: expect.stringMatching(/Delay|Duration/) });
  expect(of('LCP')).toMatchObject({ target: expect.any(String) });
  expect(of('TTFB')).toMatchObject({ sound: false });
  expect(JSON.stringify(vitals)).not.toMatch(/utm|letter|ada|example/);
});

test('a page reached by a click inside the site has its own web vitals, with its path and reduced motion', async ({
  page,
  startOwnSite,
}) => {
  const site = await startOwnSite({ ANALYTICS_SCRIPT: SCRIPT, ANALYTICS_UPSTREAM: upstream });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitPage(page, `${site.url}/paper-notes/?utm_source=letter`);
  await expect.poll(() => vitals.map(({ data }) => data.metric)).toContain('FCP');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL(`${site.url}/privacy-policy/`);
  const figures = (path: string) =>
    vitals.filter(({ data }) => data.path === path).map(({ data }) => `${data.navigation} ${data.metric}`);
  // The browser reports the page change after its paint: the figures of the first page are final.
  await expect.poll(() => figures('/privacy-policy/')).toContain('soft-navigation FCP');
  await expect
    .poll(() => figures('/paper-notes/'))
    .toEqual(expect.arrayContaining(['navigate TTFB', 'navigate FCP', 'navigate LCP', 'navigate CLS']));
  const all = [...figures('/paper-notes/'), ...figures('/privacy-policy/')];
  expect(all.filter((figure, at) => all.indexOf(figure) !== at)).toEqual([]);
  expect([...new Set(vitals.map(({ data }) => data.calm))], 'reduced motion').toEqual([true]);
});

test('a stored sign-up is one event; rejections, lost responses and repeats are not', async ({
  page,
  startOwnSite,
}) => {
  const site = await startOwnSite({ ANALYTICS_SCRIPT: SCRIPT, ANALYTICS_UPSTREAM: upstream });
  const signUps = () => vitals.filter(({ name }) => name === 'sign_up').map(({ data }) => data);
  await visitForm(page, `${site.url}/?utm_source=letter`);
  const first = createEmail();
  await fillForm(page, 'nowhere');
  await Promise.all([page.waitForResponse('**/api/sign-ups'), getButton(page).click()]);
  await getEmailField(page).fill(first);
  // The server stores it, and its response is lost.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...request) => {
      const response = await fetch(...request);
      if (!response.url.endsWith('/api/sign-ups')) return response;
      window.fetch = fetch;
      throw new TypeError('lost');
    };
  });
  await getButton(page).click();
  await expect(page.getByRole('group', { name: FORM_TEXTS.failed })).toBeVisible();
  const [stored] = await readSignUps(site.dataDirectory);
  await getButton(page).dblclick();
  await expect(getThanks(page)).toBeVisible();
  await expect.poll(signUps).toEqual([{ form_id: 1, path: '/' }]);
  // The same sign-up, sent again after a reload, is confirmed again.
  const draft = { id: stored?.id, values: { input_1: ['Ada Quist'], input_2: [first] } };
  await page.evaluate((text) => sessionStorage.setItem('pillion-form-1', text), JSON.stringify(draft));
  await visitForm(page, `${site.url}/`);
  await fillForm(page, first);
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  // The next event proves that there was no other in between.
  await visitForm(page, `${site.url}/the-tour/`);
  await fillForm(page, createEmail());
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  await expect.poll(signUps).toHaveLength(2);
  expect(signUps()).toEqual([
    { form_id: 1, path: '/' },
    { form_id: 1, path: '/the-tour/' },
  ]);
  expect(await readSignUps(site.dataDirectory)).toHaveLength(2);
});
