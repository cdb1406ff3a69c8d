// Renders every still of the ride and encodes it for WordPress' seed: `node site/assets/scene-stills.mjs [name…]`, all where no
// name is given. Needs the build, Debian's Chromium and ffmpeg with libwebp. Each frame is drawn by the scene itself,
// on the processor, from figures that are written down here: the same picture on every run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { demoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { chromium } from '@playwright/test';

const MEDIA = 'site/seed/media';

const LANDSCAPE = { width: 1920, height: 1200 };
const PORTRAIT = { width: 1080, height: 1920 };
const STOP = { width: 1440, height: 960 };

/** Greatest size of a file, in bytes. */
const HERO_BYTES = 75_000;
const PORTRAIT_BYTES = 45_000;
const MOST_BYTES = 90_000;

/** A moment for both shapes of screen. `travel` in metres from the ride's start, `progress` 0 gold, 0.5 ember, 1 night. */
const both = (name, moment, bytes = MOST_BYTES) => ({
  [name]: { ...LANDSCAPE, bytes, ...moment },
  [`${name}-portrait`]: { ...PORTRAIT, bytes: PORTRAIT_BYTES, ...moment },
});

const STILLS = {
  ...both('hero', { seconds: 0, progress: 0, travel: 0 }, HERO_BYTES),
  ...both('gold', { seconds: 54, progress: 0, travel: 768 }),
  ...both('ember', { seconds: 63, progress: 0.5, travel: 896 }),
  ...both('night', { seconds: 63, progress: 1, travel: 896 }),
  ...both('night-road', { seconds: 0, progress: 1, travel: 0 }),
  'stop-1': { ...STOP, bytes: MOST_BYTES, seconds: 18, progress: 0, travel: 256 },
  'stop-2': { ...STOP, bytes: MOST_BYTES, seconds: 36, progress: 0.22, travel: 512, rider: false },
  'stop-3': { ...STOP, bytes: MOST_BYTES, seconds: 45, progress: 0.45, travel: 640 },
  'stop-4': { ...STOP, bytes: MOST_BYTES, seconds: 18, progress: 0.68, travel: 256, rider: false },
  'stop-5': { ...STOP, bytes: MOST_BYTES, seconds: 90, progress: 0.82, travel: 1280 },
  'stop-6': { ...STOP, bytes: MOST_BYTES, seconds: 99, progress: 1, travel: 1408, rider: false },
  social: { width: 1200, height: 630, bytes: MOST_BYTES, seconds: 0, progress: 0.12, travel: 0 },
};

/** The finest quality whose file is small enough. */
const QUALITIES = [90, 86, 82, 78, 74, 70, 66, 62, 58, 54, 50, 46, 42, 38, 34, 30];

function encode(png, webp, bytes) {
  for (const quality of QUALITIES) {
    const how = ['-c:v', 'libwebp', '-quality', String(quality), '-compression_level', '6', '-preset', 'photo'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, ...how, webp]);
    if (statSync(webp).size <= bytes) return quality;
  }
  throw new Error(`${webp} does not fit into ${bytes} bytes`);
}

/** Draws in the page and reads the canvas in the same task, before the browser takes the picture away. */
const draw = (still) => {
  globalThis.ride.still(still);
  return document.querySelector('[data-scene] canvas').toDataURL('image/png');
};

const asked = process.argv.slice(2);
const wanted = Object.entries(STILLS).filter(([name]) => asked.length === 0 || asked.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'pillion-stills-'));
const site = await startSite({ DEBUG: 'true' }, demoCheckout());
const browser = await chromium.launch(CHROMIUM);
try {
  // Calm: only the stills are drawn. A large window: the fine picture, on any canvas.
  const page = await browser.newPage({ viewport: { width: 800, height: 640 }, reducedMotion: 'reduce' });
  await page.goto(`${site.url}/?scene=force`);
  await page.locator('[data-scene] canvas[data-drawn]').waitFor({ state: 'attached', timeout: 120_000 });
  for (const [name, { bytes, ...still }] of wanted) {
    const png = join(folder, `${name}.png`);
    const webp = join(MEDIA, `${name}.webp`);
    writeFileSync(png, Buffer.from((await page.evaluate(draw, still)).split(',')[1], 'base64'));
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
