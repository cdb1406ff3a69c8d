import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import type { Page } from '@playwright/test';
import { requestWordpress } from './block-editor.ts';

const postJson = <T>(wordpress: RunningWordPress, path: string, body: object) =>
  requestWordpress<T>(wordpress, 'POST', path, { body: JSON.stringify(body) });

/** @param fields For WordPress' REST API, added to a published landing page. */
export const createPage = (wordpress: RunningWordPress, fields: object) =>
  postJson<{ id: number; link: string; slug: string }>(wordpress, 'wp/v2/pages', {
    title: 'A page',
    status: 'publish',
    template: 'landing',
    ...fields,
  });

interface SavedPost {
  modified_gmt: string;
}

/**
 * Stores an autosave, as the block editor does. WordPress' clock counts in seconds, so the autosave
 * is repeated until it is newer than the saved post.
 */
export async function storeAutosave(wordpress: RunningWordPress, id: number, fields: object): Promise<void> {
  const saved = await requestWordpress<SavedPost>(wordpress, 'GET', `wp/v2/pages/${id}?context=edit`);
  for (let tries = 0; ; tries += 1) {
    // WordPress does not save an unchanged draft again.
    const excerpt = 'again'.repeat(tries);
    const stored = await postJson<SavedPost>(wordpress, `wp/v2/pages/${id}/autosaves`, { ...fields, excerpt });
    if (stored.modified_gmt > saved.modified_gmt) return;
  }
}

/** Address that opens a preview, as WordPress' own Preview button makes one. */
export const createPreviewUrl = async (wordpress: RunningWordPress, id: number, kind: 'open' | 'pane' = 'open') =>
  (await postJson<{ url: string }>(wordpress, `pillion/v1/preview/${id}/token`, { kind })).url;

/** The preview data of typed content, requested as the block editor does. */
export const fetchPreviewData = (wordpress: RunningWordPress, id: number, typed: object) =>
  postJson<Draft>(wordpress, `pillion/v1/preview/${id}/live`, typed);

/** Problems on the site, requested as the block editor does before publishing. */
export const fetchProblems = async (wordpress: RunningWordPress, id: number, typed: object) =>
  (await postJson<{ problems: Problem[] }>(wordpress, `pillion/v1/preview/${id}/check`, typed)).problems;

interface Problem {
  block: number | null;
  kind: string;
  /** In the editor's words. */
  text: string;
}

export interface Draft {
  page: Record<string, unknown>;
  blocks: (number | null)[];
}

/** Markup of a section's block. */
export const createBlock = (name: string, attributes: object) =>
  `<!-- wp:pillion/${name} ${JSON.stringify(attributes)} /-->`;

type FromSite = { pillion: string } & Record<string, unknown>;

export type FakeEditor = Awaited<ReturnType<typeof openFakeEditor>>;

/**
 * Opens a page of another origin, usually WordPress', with the pane in it, to test the site's side without the
 * editor's.
 * @param from Address of a page there. Its content is replaced; browsers check the origin.
 */
export async function openFakeEditor(page: Page, address: string, from: string) {
  // A real page with its content removed: Firefox' driver loses a page that is replaced, and Chromium treats a page from
  // the driver as one of the internet, which may frame nothing on this machine.
  await page.goto(from);
  await page.evaluate((address) => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    addEventListener('message', (event) => heard.push(event.data));
    const frame = Object.assign(document.createElement('iframe'), { src: address });
    frame.style.cssText = 'width: 1200px; height: 700px';
    document.body.replaceChildren(frame);
  }, address);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  if (!frame) throw new Error('the frame has no document');
  // A frame that the browser refuses to fill rejects. The test checks that it is empty.
  const filled = frame.waitForURL((url) => url.href !== 'about:blank', { waitUntil: 'commit' });
  await filled.catch((error: Error) => {
    if (!/BLOCKED|NS_ERROR|blocked/.test(error.message)) throw error;
  });
  const origin = new URL(address).origin;
  return {
    site: frame,
    say: (message: object) =>
      page.evaluate(
        ([message, origin]) => document.querySelector('iframe')?.contentWindow?.postMessage(message, origin),
        [message, origin] as const,
      ),
    /** All messages of the site until now. */
    heard: () => page.evaluate(() => (window as unknown as { heard: FromSite[] }).heard),
  };
}
