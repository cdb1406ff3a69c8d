import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import { expect, type FrameLocator, type Page, type Response } from '@playwright/test';
import { createPng } from './png.ts';
import { dismissWelcome, signIn } from './wp-admin.ts';

/** The block editor of a real WordPress, as its tests use it. */

/** Requests WordPress as its administrator. @throws With its response, if it refuses. */
export async function requestWordpress<T>(
  { url, admin }: RunningWordPress,
  method: string,
  path: string,
  init: RequestInit = {},
) {
  const basic = Buffer.from(`${admin.user}:${admin.applicationPassword}`).toString('base64');
  const headers = { Authorization: `Basic ${basic}`, 'Content-Type': 'application/json', ...init.headers };
  const response = await fetch(`${url}/wp-json/${path}`, { ...init, method, headers });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export const requestCore = <T>(wordpress: RunningWordPress, method: string, path: string, init?: RequestInit) =>
  requestWordpress<T>(wordpress, method, `wp/v2/${path}`, init);

/** @param png Its bytes; default: a small grey one. */
export const uploadPicture = async (wordpress: RunningWordPress, name: string, png?: Buffer<ArrayBuffer>) =>
  requestCore<{ id: number }>(wordpress, 'POST', 'media', {
    headers: { 'Content-Type': 'image/png', 'Content-Disposition': `attachment; filename="${name}.png"` },
    body: png ?? (await createPng(80, 100)),
  });

/** Signs in and opens a page in the block editor. @returns The frame the page is edited in. */
export async function editPage(page: Page, wordpress: RunningWordPress, id: number): Promise<FrameLocator> {
  await signIn(page, wordpress);
  await page.goto(`${wordpress.url}/wp-admin/post.php?post=${id}&action=edit`);
  await dismissWelcome(page);
  const canvas = page.frameLocator('iframe[name="editor-canvas"]');
  await expect(canvas.locator('.pillion-section').first()).toBeVisible({ timeout: 90_000 });
  return canvas;
}

/** The notice of an earlier save may still be visible: the response to this one decides. */
export async function saveEditedPage(page: Page) {
  const isSaving = (response: Response) =>
    response.request().method() !== 'GET' && /\/wp\/v2\/pages\/\d+/.test(decodeURIComponent(response.url()));
  const [saved] = await Promise.all([
    page.waitForResponse(isSaving),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  expect(saved.ok()).toBe(true);
  await expect(page.getByTestId('snackbar').filter({ hasText: 'Page updated.' })).toBeVisible();
}
