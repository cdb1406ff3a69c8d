// Byte budgets of a first visit to `/` and to a page to read (bundled demo, production build), which block CI. KB are 1000 bytes, gzip 9.

import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { firstVisit, launch, PHONE } from './lib/first-visit.mjs';

/** Limits for a first visit: name, member of `figures`, limit. React alone is 67.1 KB of the script. */
const BUDGETS = [
  ['script, all chunks but the scene', 'js', 87_200],
  // The starter also applies the visitor's motion setting, ends transitions between documents and measures how long the
  // page is visible (decisions 008, 060).
  ['of it before the first paint', 'starter', 680],
  // Without React (decision 070).
  ['script of a page to read', 'reading', 10_200],
  ['scene chunk', 'scene', 16_000],
  ['styles', 'css', 8_000],
  ['document', 'html', 12_000],
  ['fonts, as they are', 'fonts', 52_000],
  ['font files', 'fontFiles', 2],
  ['audio before it is wanted', 'audio', 0],
  ['requests before first paint', 'requests', 12],
  // A slow parser may pause within the footer, which then grows by a line behind the loader (0.0004, once in some thirty
  // loads). All other shifts are larger.
  ['layout shift', 'cls', 0.001],
  ['all of the first view, large screen', 'weight', 450_000],
  ['all of the first view, phone', 'phoneWeight', 300_000],
  // The demo has two more languages. A large screen prefetches pictures at varying times (R28).
  ['what more languages add, phone', 'languages', 500],
];

const formatFigure = (value, limit) =>
  limit >= 1000 ? `${(value / 1000).toFixed(1)} KB` : String(Math.round(value * 10_000) / 10_000);

const site = await startSite({}, createDemoCheckout());
const inAllLanguages = await startSite({}, process.cwd());
const browser = await launch();
try {
  const visit = await firstVisit(browser, `${site.url}/`);
  const { js: reading } = await firstVisit(browser, `${site.url}/privacy-policy/`);
  const { weight: phoneWeight } = await firstVisit(browser, `${site.url}/`, PHONE);
  const { weight: weightInAll } = await firstVisit(browser, `${inAllLanguages.url}/`, PHONE);
  // No GPU is available here, so no visit fetches the scene (decision 052).
  const [scene = ''] = globSync('build/client/assets/scene-*.js');
  const figures = {
    ...visit,
    reading,
    phoneWeight,
    languages: weightInAll - phoneWeight,
    scene: gzipSync(readFileSync(scene), { level: 9 }).length,
  };
  let exceeded = 0;
  for (const [name, key, limit] of BUDGETS) {
    const isWithin = figures[key] <= limit;
    if (!isWithin) exceeded += 1;
    console.log(
      `  ${isWithin ? 'ok  ' : 'OVER'} ${name.padEnd(36)} ${formatFigure(figures[key], limit).padStart(10)} of ${formatFigure(limit, limit)}`,
    );
  }
  if (exceeded)
    for (const file of visit.files)
      console.log(`       ${String(file.gzip).padStart(8)} ${file.url.replace(site.url, '')}`);
  process.exitCode = exceeded ? 1 : 0;
} finally {
  await browser.close();
  await inAllLanguages.stop();
  await site.stop();
}
