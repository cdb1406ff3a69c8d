import { createServer } from 'node:http';
import { samplesFrom } from '@pillion/react/workbench/samples.ts';
import { findSectionStates, type WireSection } from '@pillion/react/workbench/section-states.ts';
import { tooFaint } from '@pillion/site-tests/text-contrast.mjs';
import { expect, type Page } from '@playwright/test';
import { uploadPicture } from '../support/block-editor.ts';
import { createPng } from '../support/png.ts';
import {
  createBlock,
  createPage,
  createPreviewUrl,
  type FakeEditor,
  fetchPreviewData,
  fetchProblems,
  openFakeEditor,
  storeAutosave,
} from '../support/previews.ts';
import { findFreePort } from '../support/site.ts';
import { type Wired, wiredTest } from '../support/wired-test.ts';
import { logRequests, waitForRest } from './test.ts';

/** Drafts on the site: the bar, the links, the pane as the block editor uses it. */
const test = wiredTest;

const editorAt = ({ url }: Wired['wordpress']) => `${url}/wp-login.php`;

const quote = (words: string) => createBlock('quote', { quote: words });
const hero = (words: string) => createBlock('hero', { heading: words });

const bar = (page: Page) => page.getByRole('region', { name: 'Preview' });
const playing = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');

/** A word that occurs in one section only. */
const nameOf = (at: number) => `section-${at}-of-all`;

/** The same section with its name among its words, where it has words. */
function named(section: WireSection, at: number): WireSection {
  const name = nameOf(at);
  if (section.type === 'rich-text') return { ...section, html: `<p>${name}</p>${section.html}` };
  for (const field of ['kicker', 'heading']) if (field in section) return { ...section, [field]: name };
  return section;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const isInside = (inner: Box | null, outer: Box | null): boolean =>
  inner !== null &&
  outer !== null &&
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

test('a draft and a published page open for their editors only, and the bar names the status @lean', async ({
  page,
  wired: { wordpress, site },
}) => {
  const cases = [
    ['draft', /^Draft, saved \d\d:\d\d$/],
    ['publish', /^As it is live$/],
  ] as const;
  for (const [status, words] of cases) {
    const content = quote(`Only in a ${status} page`);
    const { id } = await createPage(wordpress, { title: `A ${status} page`, content, status });
    const response = await page.goto(await createPreviewUrl(wordpress, id));
    expect(new URL(page.url()).pathname).toBe(`/preview/${id}/`);
    expect(response?.headers()['cache-control']).toContain('no-store');
    await expect(page.getByText(`Only in a ${status} page`)).toBeVisible();
    await expect(bar(page).locator('p'), status).toHaveText(words);
    const liveLink = bar(page).getByRole('link', { name: 'Live page' });
    if (status === 'publish') await expect(liveLink).toHaveAttribute('href', '/a-publish-page/');
    else await expect(liveLink).toHaveCount(0);
    await playing(page);
    await expect(page.locator('[data-announcer]'), 'it is said once').toHaveText(/^Preview: /);
  }
  const { id } = await createPage(wordpress, { title: 'Typed on', content: quote('As saved') });
  await storeAutosave(wordpress, id, { content: quote('As typed since') });
  await page.goto(await createPreviewUrl(wordpress, id));
  await expect(page.getByText('As typed since')).toBeVisible();
  await expect(bar(page).locator('p')).toHaveText(/^Changes not published, autosaved \d\d:\d\d$/);
  expect(await (await fetch(`${site.url}/typed-on/`)).text()).not.toContain('As typed since');
});

test('messages wait until React has hydrated the page, and nothing is rendered twice @lean', async ({
  page,
  wired: { wordpress },
}) => {
  const { id } = await createPage(wordpress, { title: 'Taken over late', content: quote('As the server drew it') });
  // React's scheduler continues by messages to itself. They are delayed until the preview has started.
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
      held.push(() => Reflect.apply(send, this, message));
    };
    Object.assign(globalThis, {
      goOn() {
        MessagePort.prototype.postMessage = send;
        for (const each of held.splice(0)) each();
      },
    });
  });
  const started = page.waitForResponse(/preview-[^/]*\.js$/);
  await page.goto(await createPreviewUrl(wordpress, id));
  await (await started).finished();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('#root > *, [data-announcer]'))
      Object.assign(element, { isOfServer: true });
    (globalThis as unknown as { goOn(): void }).goOn();
  });
  await playing(page);
  await expect(page.locator('[data-announcer]')).toHaveText(/^Preview: /);
  const isKept = (selector: string) =>
    page.locator(selector).evaluate((element) => (element as unknown as { isOfServer?: boolean }).isOfServer ?? false);
  expect(await isKept('[data-announcer]')).toBe(true);
  expect(await isKept('#main')).toBe(true);
});

test('Leave ends the preview at the same or the front page, and its address shows nothing afterwards @lean', async ({
  page,
  wired: { wordpress, site },
}) => {
  const { id } = await createPage(wordpress, { title: 'Left', content: quote('As saved') });
  await storeAutosave(wordpress, id, { content: quote('Behind the bar') });
  await page.goto(await createPreviewUrl(wordpress, id));
  await bar(page).getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`${site.url}/left/`);
  await expect(bar(page)).toHaveCount(0);
  const again = await page.goto(`${site.url}/preview/${id}/`);
  expect(again?.status()).toBe(403);
  await expect(page.getByText('Behind the bar')).toHaveCount(0);

  const draft = await createPage(wordpress, { title: 'Nowhere yet', content: quote('X'), status: 'draft' });
  await page.goto(await createPreviewUrl(wordpress, draft.id));
  await bar(page).getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`${site.url}/`);
});

/** Whether a click in the middle of what `selector` finds reaches it. */
const isReached = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element === hit || element.contains(hit) || (hit?.contains(element) ?? false);
  });

test('the preview bar has separate space at 1440 and 320 px, covers nothing, and is not printed @firefox', async ({
  page,
  wired: { wordpress },
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { id } = await createPage(wordpress, { title: 'Strip', content: hero('A hero') + quote('Words').repeat(12) });
  await storeAutosave(wordpress, id, { content: hero('Another hero') + quote('Other words').repeat(12) });
  await page.goto(await createPreviewUrl(wordpress, id));
  await playing(page);
  await page.locator('[data-scrollbar]:not([inert])').waitFor({ state: 'attached' });
  // The widest text of a bar: an unsaved version of another year.
  await bar(page)
    .locator('p')
    .evaluate((element) => {
      element.textContent = 'Changes not published, autosaved 28 Sept 2025, 14:02';
    });
  for (const [width, height] of [
    [1440, 900],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const theme of ['dark', 'light']) {
      await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), theme);
      const box = await bar(page).boundingBox();
      const header = await page.locator('#root > header').boundingBox();
      expect(box).toMatchObject({ x: 0, y: 0, width });
      expect(header?.y, 'the header begins where the bar ends').toBeCloseTo(box?.height ?? 0, 0);
      const words = await bar(page).locator('p').boundingBox();
      expect((words?.y ?? -1) >= 0 && (words?.y ?? 0) + (words?.height ?? 0) <= (box?.height ?? 0)).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const controls = ['header a[href="/"]', '[data-preview-bar] button', '[data-preview-bar] a'];
      const edges = ['footer button[aria-pressed]', 'footer > div p', '[data-scrollbar-thumb]'];
      for (const selector of width < 1024 ? controls : [...controls, ...edges])
        expect(await isReached(page, selector), selector).toBe(true);
    }
  }
  await page.emulateMedia({ media: 'print' });
  await expect(bar(page)).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).paddingTop)).not.toBe('48px');
});

test('text with low contrast over a picture is reported before publishing if a browser draws it like that', async ({
  page,
  context,
  wired: { wordpress },
}) => {
  test.setTimeout(240_000);
  // The scene is paused then: without a GPU it would leave no time for the check.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const blank = await context.newPage();
  const faint = { told: 1, drawn: 1 };
  const clear = { told: 0, drawn: 0 };
  for (const [grey, name, theme, verdict] of [
    [0, 'hero', 'dark', faint],
    [255, 'hero', 'dark', clear],
    [0, 'statement', 'light', faint],
    [90, 'statement', 'light', clear],
    [0, 'statement', 'dark', faint],
  ] as const) {
    const picture = await uploadPicture(wordpress, `grey-${grey}-${name}`, await createPng(320, 200, grey));
    const heading = name === 'hero' ? 'Words over it' : `Words over it ${'that go on and on '.repeat(5)}`;
    const over = createBlock(name, { heading, picture: picture.id });
    const content = name === 'hero' ? over : hero('A hero') + over;
    const meta = { _pillion_theme: theme };
    const { id } = await createPage(wordpress, { title: 'Contrast', content, meta, status: 'draft' });
    const problems = await fetchProblems(wordpress, id, {});
    const told = problems.filter(({ kind }) => kind === 'contrast-low');
    await page.goto(await createPreviewUrl(wordpress, id));
    await playing(page);
    const words = page.getByRole('heading', { name: /^Words over it/ });
    await words.evaluate((element) => {
      // The scene can replace the picture. The picture is measured.
      for (const canvas of document.querySelectorAll('canvas')) canvas.remove();
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
    });
    await waitForRest(page);
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    const faintly = (await tooFaint(page, blank)).filter((text) => text.startsWith('"Words over'));
    expect({ told: told.length, drawn: Math.min(1, faintly.length) }, `${grey} under a ${theme} ${name}`).toEqual(
      verdict,
    );
  }
});

test('visitors get no script and no style of the preview @lean', async ({ page, wired: { wordpress, site } }) => {
  const files = logRequests(page, /\.(?:js|css)$/);
  const namesIn = async () => {
    await playing(page);
    await page.waitForLoadState('networkidle');
    const knows = files.map(async (url) => (/preview/i.test(await (await fetch(url)).text()) ? [url] : []));
    return (await Promise.all(knows)).flat();
  };
  await page.goto(`${site.url}/`);
  expect(await namesIn()).toEqual([]);
  expect(files.length).toBeGreaterThan(2);
  // The same search finds it where it is.
  const { id } = await createPage(wordpress, { title: 'Looked at', content: quote('Words'), status: 'draft' });
  await page.goto(await createPreviewUrl(wordpress, id));
  expect((await namesIn()).join(), files.join()).toContain('preview');
});

test('while the page loads, the loader shows the headline at its final position', async ({
  page,
  wired: { wordpress },
}) => {
  const { id } = await createPage(wordpress, { title: 'Loading', content: hero('Words of it'), status: 'draft' });
  // Without its script the loader stays for some seconds.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(await createPreviewUrl(wordpress, id), { waitUntil: 'commit' });
  // Before the styles arrive, both are in the flow of the document.
  await expect(page.locator('[data-loader]')).toHaveCSS('position', 'fixed');
  const [loader, own] = await Promise.all([
    page.locator('[data-loader]').getByText('Words of it').boundingBox(),
    page.getByRole('heading', { level: 1 }).boundingBox(),
  ]);
  expect(own).not.toBeNull();
  expect(loader?.y).toBeCloseTo(own?.y ?? -1, 0);
  expect(loader?.x).toBeCloseTo(own?.x ?? -1, 0);
});

test('links to drafts stay in the preview, others load a document, and nothing is prefetched', async ({
  page,
  wired: { wordpress, site },
}) => {
  const other = await createPage(wordpress, { title: 'Other', content: quote('Other, as saved') });
  await storeAutosave(wordpress, other.id, { content: quote('Other, as typed') });
  const plain = await createPage(wordpress, { title: 'Plain', content: quote('Nothing new here') });
  const text = `<!-- wp:paragraph --><p><a href="${wordpress.url}/${other.slug}/">to the other</a> <a href="${wordpress.url}/${plain.slug}/">to the plain one</a></p><!-- /wp:paragraph -->`;
  const { id } = await createPage(wordpress, { title: 'From', content: text, status: 'draft' });
  // Read for the first time: if WordPress is slow, the site answers 503.
  await expect.poll(async () => (await fetch(`${site.url}/${plain.slug}/`)).status).toBe(200);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));

  await page.goto(await createPreviewUrl(wordpress, id));
  await playing(page);
  const link = page.getByRole('link', { name: 'to the other' });
  await expect(link).toHaveAttribute('href', new RegExp(`/preview/${other.id}/$`));
  await link.hover();
  await link.click();
  await page.waitForURL(`${site.url}/preview/${other.id}/`);
  await expect(page.getByText('Other, as typed')).toBeVisible();
  await page.goBack();
  await playing(page);
  await page.getByRole('link', { name: 'to the plain one' }).click();
  await page.waitForURL(`${site.url}/${plain.slug}/`);
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByText('Nothing new here')).toBeVisible();
  await playing(page);
  const previews = asked.filter((path) => path.startsWith('/preview/'));
  expect(previews.filter((path) => path !== '/preview/open')).toEqual([
    `/preview/${id}/`,
    `/preview/${other.id}/`,
    `/preview/${id}/`,
  ]);
  // Pages are prefetched again when no preview is shown.
  const first = asked.indexOf('/api/page');
  expect(first === -1 || first > asked.lastIndexOf(`/preview/${id}/`)).toBe(true);
});

/** The error of each engine for a frame that the response's headers forbid. */
const REFUSED_FRAME = /ERR_BLOCKED_BY_RESPONSE|NS_ERROR_CSP_FRAME_ANCESTOR_VIOLATION/;

test('no other site can frame a preview, and WordPress only its pane @lean @firefox', async ({
  page,
  wired: { wordpress, site },
}) => {
  const { id } = await createPage(wordpress, { title: 'Framed', content: quote('Not for frames'), status: 'draft' });
  await page.goto(await createPreviewUrl(wordpress, id));
  await expect(page.getByText('Not for frames')).toBeVisible();
  const port = await findFreePort();
  const other = createServer((_, response) => response.end('<!doctype html>')).listen(port, '127.0.0.1');
  for (const [address, from] of [
    [`${site.url}/preview/${id}/`, editorAt(wordpress)],
    [await createPreviewUrl(wordpress, id, 'pane'), `http://127.0.0.1:${port}/`],
    [`${site.url}/`, editorAt(wordpress)],
  ] as const) {
    const refused = page.waitForEvent('requestfailed', (request) => request.url() === address);
    // The frame's own navigation may be reported as an error too.
    await openFakeEditor(page, address, from).catch(() => {});
    expect((await refused).failure()?.errorText, `${address} in ${from}`).toMatch(REFUSED_FRAME);
  }
  other.close();
  const editor = await openFakeEditor(page, await createPreviewUrl(wordpress, id, 'pane'), editorAt(wordpress));
  await expect(editor.site.getByText('Not for frames')).toBeVisible();
  await expect(editor.site.locator('[data-preview-bar]')).toHaveCount(0);
});

async function openPane(page: Page, { wordpress }: Wired, id: number): Promise<FakeEditor> {
  const editor = await openFakeEditor(page, await createPreviewUrl(wordpress, id, 'pane'), editorAt(wordpress));
  await expect.poll(editor.heard).toContainEqual({ pillion: 'ready' });
  await expect(editor.site.locator('html')).toHaveAttribute('data-stage', 'playing');
  return editor;
}

test.describe('the pane next to the editor', () => {
  test('ignores messages not from its editor, and says why it cannot show a draft; the next one is shown', async ({
    page,
    wired,
  }) => {
    const { wordpress } = wired;
    const { id } = await createPage(wordpress, { title: 'Strict', content: quote('As saved') });
    const editor = await openPane(page, wired, id);
    const draft = await fetchPreviewData(wordpress, id, { content: quote('Slipped in') });
    const asked = logRequests(page, /\/preview\/render$/);
    await editor.site.evaluate((draft) => postMessage({ pillion: 'draft', n: 1, draft }, '*'), draft);
    for (const message of [{}, { pillion: 'draft', n: 'one', draft }, { pillion: 'look', theme: 'blue', calm: false }])
      await editor.say(message);
    await editor.say({ pillion: 'draft', n: 2, draft: { page: 'none' } });
    await expect.poll(editor.heard).toContainEqual({ pillion: 'failed', n: 2, reason: 'unreadable' });
    expect(asked).toHaveLength(1);
    await expect(editor.site.getByText('As saved')).toBeVisible();
    // A draft whose section throws. In Chromium only: Firefox sends an intercepted request on without its body at times.
    await page.route(
      '**/preview/render',
      async (route) => {
        const rendered = await (await route.fetch()).json();
        rendered.page.sections = [{ type: 'quote' }];
        await route.fulfill({ json: rendered });
      },
      { times: 1 },
    );
    await editor.say({ pillion: 'draft', n: 3, draft });
    await expect.poll(editor.heard).toContainEqual({ pillion: 'failed', n: 3, reason: 'failed' });
    await editor.say({ pillion: 'draft', n: 4, draft });
    await expect.poll(editor.heard).toContainEqual({ pillion: 'shown', n: 4 });
    await expect(editor.site.getByText('Slipped in')).toBeVisible();
  });

  test('a click selects its section, links and forms do nothing, the selected section is shown and marked @lean @firefox', async ({
    page,
    wired,
  }) => {
    const { wordpress } = wired;
    const text = `<!-- wp:paragraph --><p>Before <a href="${wordpress.url}/paper-notes/">a link</a></p><!-- /wp:paragraph --><!-- wp:paragraph --><p>The second</p><!-- /wp:paragraph -->`;
    const content = `${hero('The hero')}${text}${quote('One').repeat(5)}${createBlock('sign-up', { heading: 'Join' })}`;
    const { id } = await createPage(wordpress, { title: 'Picked', content });
    const editor = await openPane(page, wired, id);
    const { site } = editor;
    const address = site.url();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await site.getByRole('link', { name: 'a link' }).click();
    await expect.poll(editor.heard).toContainEqual({ pillion: 'picked', block: 1 });
    await site.getByText('The second').click();
    await expect.poll(editor.heard).toContainEqual({ pillion: 'picked', block: 2 });
    await site.locator('header a[href="/"]').click();
    await editor.say({ pillion: 'select', block: 8 });
    const mark = site.locator('[data-preview-mark]');
    await expect(mark).toBeVisible();
    await expect(site.getByRole('heading', { name: 'Join' })).toBeInViewport();
    await site.locator('#form button[type="submit"]').click();
    await expect.poll(editor.heard).toContainEqual({ pillion: 'picked', block: 8 });
    await editor.say({ pillion: 'select', block: 0 });
    await expect(site.getByRole('heading', { name: 'The hero' })).toBeInViewport();
    expect(site.url()).toBe(address);

    // In a separate tab there is no editor, and the server would treat the form as a visitor's.
    const alone = await page.context().newPage();
    alone.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    const policy = (await alone.goto(address))?.headers()['content-security-policy'];
    expect(policy, 'before its script runs').toContain("form-action 'none'");
    await expect(alone.locator('html')).toHaveAttribute('data-hydrated', '');
    await alone.locator('#form input[type="email"]').fill('a@b.example');
    await alone.locator('#form button[type="submit"]').click();
    await alone.waitForLoadState('networkidle');
    expect(alone.url()).toBe(address);
    expect(sent).toEqual([]);
  });

  test('finds every kind of section in every state, rendered or not', async ({ page, wired }) => {
    const { wordpress } = wired;
    const { id } = await createPage(wordpress, { title: 'All of them', content: quote('One') });
    const editor = await openPane(page, wired, id);
    const draft = await fetchPreviewData(wordpress, id, { content: quote('One') });
    const groups = await findSectionStates(samplesFrom(wordpress.url));
    const sections = groups.flatMap(({ states }) => Object.values(states).flat()).map(named);
    // Every third block is empty.
    const blocks = sections.map((_, at) => at + Math.floor(at / 2));
    await editor.say({ pillion: 'draft', n: 1, draft: { ...draft, blocks, page: { ...draft.page, sections } } });
    await expect.poll(editor.heard).toContainEqual({ pillion: 'shown', n: 1 });

    const mark = editor.site.locator('[data-preview-mark]');
    const drawn = new Set<string>();
    for (const [at, section] of sections.entries()) {
      const words = editor.site.getByText(nameOf(at), { exact: true }).first();
      if ((await words.count()) === 0) continue;
      drawn.add(section.type);
      await editor.say({ pillion: 'select', block: blocks[at] });
      await expect(async () => {
        const [frame, text] = await Promise.all([mark.boundingBox(), words.boundingBox()]);
        expect(isInside(text, frame), nameOf(at)).toBe(true);
      }).toPass({ intervals: [50] });
      await words.dispatchEvent('click');
      await expect
        .poll(async () => (await editor.heard()).at(-1), nameOf(at))
        .toEqual({
          ...{ pillion: 'picked', block: blocks[at] },
        });
    }
    const all = new Set(sections.map(({ type }) => type));
    // The mark of the brand has no text.
    all.delete('wordmark');
    expect(drawn).toEqual(all);
  });
});
