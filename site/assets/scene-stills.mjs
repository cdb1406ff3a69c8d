// Renders the stills of the ride and encodes them for WordPress' seed: `node site/assets/scene-stills.mjs [name…]`;
// all without a name. Needs the build, Debian's Chromium and ffmpeg with libwebp. The scene draws each frame on the
// processor, so every run has the same pixels.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { chromium } from '@playwright/test';

const MEDIA = 'site/seed/media';

const LANDSCAPE = { width: 1920, height: 1200 };
const PORTRAIT = { width: 1080, height: 1920 };
const STOP = { width: 1440, height: 960 };

/** Maximum file sizes. */
const HERO_BYTES = 75_000;
const PORTRAIT_BYTES = 45_000;
const MAX_BYTES = 90_000;

/** A moment for both orientations. `travel` in metres from the start, `progress` 0 gold, 0.5 ember, 1 night. */
const bothShapes = (name, moment, bytes = MAX_BYTES) => ({
  [name]: { ...LANDSCAPE, bytes, ...moment },
  [`${name}-portrait`]: { ...PORTRAIT, bytes: PORTRAIT_BYTES, ...moment },
});

const STILLS = {
  ...bothShapes('hero', { seconds: 0, progress: 0, travel: 0 }, HERO_BYTES),
  ...bothShapes('gold', { seconds: 54, progress: 0, travel: 768 }),
  ...bothShapes('ember', { seconds: 63, progress: 0.5, travel: 896 }),
  ...bothShapes('night', { seconds: 63, progress: 1, travel: 896 }),
  ...bothShapes('night-road', { seconds: 0, progress: 1, travel: 0 }),
  'stop-1': { ...STOP, bytes: MAX_BYTES, seconds: 18, progress: 0, travel: 256 },
  'stop-2': { ...STOP, bytes: MAX_BYTES, seconds: 36, progress: 0.22, travel: 512, rider: false },
  'stop-3': { ...STOP, bytes: MAX_BYTES, seconds: 45, progress: 0.45, travel: 640 },
  'stop-4': { ...STOP, bytes: MAX_BYTES, seconds: 18, progress: 0.68, travel: 256, rider: false },
  'stop-5': { ...STOP, bytes: MAX_BYTES, seconds: 90, progress: 0.82, travel: 1280 },
  'stop-6': { ...STOP, bytes: MAX_BYTES, seconds: 99, progress: 1, travel: 1408, rider: false },
  social: { width: 1200, height: 630, bytes: MAX_BYTES, seconds: 0, progress: 0.12, travel: 0 },
};

/** The first one whose file is small enough is used. */
const QUALITIES = [90, 86, 82, 78, 74, 70, 66, 62, 58, 54, 50, 46, 42, 38, 34, 30];

function encode(png, webp, bytes) {
  for (const quality of QUALITIES) {
    const options = ['-c:v', 'libwebp', '-quality', String(quality), '-compression_level', '6', '-preset', 'photo'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, ...options, webp]);
    if (statSync(webp).size <= bytes) return quality;
  }
  throw new Error(`${webp} does not fit into ${bytes} bytes`);
}

/** Draws and reads the canvas in the same task, because the browser clears it afterwards. */
const drawStill = (still) => {
  globalThis.ride.still(still);
  return document.querySelector('[data-scene] canvas').toDataURL('image/png');
};

const requestedNames = process.argv.slice(2);
const selected = Object.entries(STILLS).filter(
  ([name]) => requestedNames.length === 0 || requestedNames.includes(name),
);
const folder = mkdtempSync(join(tmpdir(), 'pillion-stills-'));
const site = await startSite({ DEBUG: 'true' }, createDemoCheckout());
const browser = await chromium.launch(CHROMIUM);
try {
  // Calm: only the stills are drawn. A large window: the fine picture, on any canvas.
  const page = await browser.newPage({ viewport: { width: 800, height: 640 }, reducedMotion: 'reduce' });
  await page.goto(`${site.url}/?scene=force`);
  await page.locator('[data-scene] canvas[data-drawn]').waitFor({ state: 'attached', timeout: 120_000 });
  for (const [name, { bytes, ...still }] of selected) {
    const png = join(folder, `${name}.png`);
    const webp = join(MEDIA, `${name}.webp`);
    writeFileSync(png, Buffer.from((await page.evaluate(drawStill, still)).split(',')[1], 'base64'));
    const quality = encode(png, webp, bytes);
    console.log(
      `${name.padEnd(20)} ${still.width}x${still.height}  quality ${quality}  ${readFileSync(webp).length} bytes`,
    );
  }
} finally {
  await browser.close();
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}
