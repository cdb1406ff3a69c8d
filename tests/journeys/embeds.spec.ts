import type { Page } from '@playwright/test';
import { fulfillSteadyTrack, probeAudio, readLevel, TRACK } from '../support/audio-probe.ts';
import { waitForPaint } from '../support/driven-time.ts';
import { getStatePath, test } from './states-test.ts';
import { expect, followLink, holdRequests, isMarked, markWindow, visitPage, waitForScript } from './test.ts';

const PLAYER = 'https://www.youtube-nocookie.com/embed/abcdefghij_?autoplay=1';
const VIDEO = getStatePath('rich-text/video');

const link = (page: Page) => page.locator('a[href="https://www.youtube.com/watch?v=abcdefghij_"]');

/** Answers in place of the video's host. @returns The addresses that the page requests from other hosts. */
async function otherHosts(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: '<title>Player</title><p>The video plays</p>' });
    },
  );
  return asked;
}

test('an embedded video loads nothing from its host until the visitor plays it @firefox', async ({ page, states }) => {
  const asked = await otherHosts(page);
  await visitPage(page, states.url + VIDEO);
  await expect(link(page)).toBeVisible();
  expect(asked).toEqual([]);
  await link(page).click();
  await expect(page.frameLocator('iframe').getByText('The video plays')).toBeVisible();
  expect(asked).toEqual([PLAYER]);
  await expect(page.locator('iframe')).toBeFocused();
});

test('the focus ring is visible around a video, and its sign with forced colours', async ({ page, states }) => {
  await visitPage(page, states.url + VIDEO);
  await link(page).evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const box = await link(page).boundingBox();
  // The ring is 3 px outside the link and 2 px wide.
  const clip = { x: (box?.x ?? 0) - 8, y: (box?.y ?? 0) + 40, width: 7, height: 40 };
  const edge = () => page.screenshot({ clip });
  const before = await edge();
  // After a key the browser shows the ring.
  await page.keyboard.press('Shift');
  await link(page).focus();
  await waitForPaint(page);
  expect((await edge()).equals(before)).toBe(false);
  await page.emulateMedia({ forcedColors: 'active' });
  const strip = (top: number) => {
    const x = (box?.x ?? 0) + (box?.width ?? 0) / 2 - 40;
    return page.screenshot({ clip: { x, y: (box?.y ?? 0) + top, width: 80, height: 20 } });
  };
  const middle = ((box?.width ?? 0) * 9) / 32;
  expect((await strip(middle - 10)).equals(await strip(20))).toBe(false);
});

test('the page does not wait for the code that plays videos, and a click before it is loaded plays later @firefox', async ({
  page,
  states,
}) => {
  await otherHosts(page);
  const load = await holdRequests(page, /\/assets\/play-embed-.*\.js/);
  // Firefox delays the load event for it.
  await page.goto(states.url + VIDEO, { waitUntil: 'domcontentloaded' });
  await waitForScript(page);
  await link(page).click();
  expect(page.url()).toBe(states.url + VIDEO);
  load();
  await expect(page.frameLocator('iframe').getByText('The video plays')).toBeVisible();
});

test('a video whose code cannot be loaded plays on its own page', async ({ page, states }) => {
  await otherHosts(page);
  await page.route(/\/assets\/play-embed-.*\.js/, (route) => route.abort());
  await visitPage(page, states.url + VIDEO);
  await link(page).click();
  await expect(page).toHaveURL('https://www.youtube.com/watch?v=abcdefghij_');
});

test('the music stops when a video is played, and starts again only with its toggle', async ({ page, states }) => {
  await probeAudio(page);
  await otherHosts(page);
  await page.route(TRACK, fulfillSteadyTrack);
  // The workbench's WordPress has no music.
  await page.route(states.url + VIDEO, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"audio":{"url":null', '"audio":{"url":"/media/music.mp3"');
    await route.fulfill({ response, body });
  });
  await visitPage(page, states.url + VIDEO);
  const toggle = page.getByRole('contentinfo').locator('button[data-sound]');
  const sounds = () => expect.poll(() => readLevel(page)).toBeGreaterThan(0.5);
  await toggle.click();
  await sounds();
  await link(page).click();
  await expect.poll(() => readLevel(page)).toBe(0);
  await page.locator('figcaption').click();
  await expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await toggle.click();
  await sounds();
});

test('a link to a page with a video is a page load, since only its document may show the player', async ({
  page,
  states,
}) => {
  await otherHosts(page);
  await visitPage(page, states.url + getStatePath('rich-text/full'));
  await markWindow(page);
  await followLink(page, VIDEO);
  await expect(link(page)).toBeVisible();
  expect(await isMarked(page)).toBe(false);
  await waitForScript(page);
  await link(page).press('Enter');
  await expect(page.frameLocator('iframe').getByText('The video plays')).toBeVisible();
});

test('only the policy of a page with a video allows players', async ({ request, states }) => {
  const policyOf = async (path: string) => (await request.get(states.url + path)).headers()['content-security-policy'];
  expect(await policyOf(VIDEO)).toContain('frame-src https://www.youtube-nocookie.com https://player.vimeo.com');
  expect(await policyOf(getStatePath('rich-text/full'))).not.toContain('frame-src');
});
