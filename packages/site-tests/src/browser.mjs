import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Paths of browsers on Linux, macOS and Windows, in the order of preference. */
const BROWSER_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * For a machine without a GPU, and without requests of the browser itself. The processor draws pages: with a GPU that
 * SwiftShader emulates, drawing would take twice as long. Only WebGL runs on SwiftShader.
 */
export const CHROMIUM_ARGS = [
  '--disable-gpu',
  '--disable-gpu-rasterization',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const NO_BROWSER = `No browser was found. Do one of these:
  - Debian, Ubuntu: sudo apt-get install chromium
  - install Google Chrome or Microsoft Edge
  - npx playwright-core install chromium
  - set CHROMIUM to the path of a Chromium, Chrome or Edge`;

/** @returns {string} Path of a browser. @throws If no browser is installed; the message says how to get one. */
export function findBrowser(paths = BROWSER_PATHS, given = process.env.CHROMIUM) {
  if (given && !existsSync(given)) throw new Error(`CHROMIUM is ${given}, which does not exist.\n${NO_BROWSER}`);
  const found = given || [...paths, chromium.executablePath()].find((path) => path && existsSync(path));
  if (!found) throw new Error(NO_BROWSER);
  return found;
}

export const launchBrowser = () =>
  chromium.launch({
    executablePath: findBrowser(),
    // As root Chromium has no sandbox. It visits only the site.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...CHROMIUM_ARGS],
  });
