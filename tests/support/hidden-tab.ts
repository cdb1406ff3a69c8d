import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM } from './chromium.ts';
import { createFolder } from './site.ts';

const ARGUMENTS = [...CHROMIUM.args, '--headless=new', '--remote-debugging-port=0', '--window-size=1440,900'];

/** Address of the browser's debugger, which it prints once it listens. */
const debuggerAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (data: Buffer) => {
      printed += data;
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Chromium ended before it listened:\n${printed}`)));
  });

/**
 * Opens a Chromium with tabs that can be hidden. Pages that Playwright launches never are: it makes each page appear in
 * front. A browser that is started separately and connected without Playwright's defaults behaves as usual. The spec
 * that opens one disables traces: a recorded page is never hidden.
 */
export async function openHideableBrowser() {
  const profile = createFolder();
  const args = [`--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(CHROMIUM.executablePath, [...ARGUMENTS, ...args], {
    // The rest is removed with its profile.
    env: { ...process.env, TMPDIR: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Its processes share the pipe: when it closes, all have ended, and none writes to the profile any more.
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const browser = await chromium.connectOverCDP(await debuggerAddress(child), { noDefaults: true });
  const context = browser.contexts()[0] as BrowserContext;
  const page = context.pages()[0] as Page;
  const waitUntilHidden = (isHidden: boolean) =>
    page.waitForFunction((isHidden) => document.hidden === isHidden, isHidden, { polling: 100 });
  return {
    context,
    page,
    /** Opens another tab in front: the page is hidden, with its frames and timers, as for a visitor. */
    async hide() {
      const other = await context.newPage();
      await other.bringToFront();
      await waitUntilHidden(true);
    },
    /** Brings the page back. */
    async show() {
      await page.bringToFront();
      await waitUntilHidden(false);
    },
    async close() {
      await browser.close();
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
