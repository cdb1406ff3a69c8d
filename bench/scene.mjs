// Cost of the scene on this machine's processor (SwiftShader). Figures are comparable only within one run on one
// machine.
// Usage: `node bench/scene.mjs` after a build.

import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { chromium } from '@playwright/test';
import { median } from './lib/figures.mjs';

const SCREENS = { large: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Share of the ride at each hour of the scene. */
const HOURS = { gold: 0, ember: 0.5, night: 1 };
const FRAMES = 6;
/** `COLOR_BUFFER_BIT` of WebGL. */
const CLEAR_BIT = 0x4000;
/** Time until the intro has ended, which takes 3.2 s. */
const INTRO_MS = 5_000;
/** A mid-range phone has a quarter of this processor's speed. */
const PHONE_SLOWDOWN = 4;

/** Names of a frame's draws, in order. */
const DRAWS = ['land', 'poles', 'sky', 'lights', 'rider'];

/**
 * Runs in the page before other scripts: lists the draws of the scene.
 * @param isCounting Replaces colours: each fragment adds 1/255 to its pixel, so the sum of all pixels is their number.
 */
function spyOnDraws(isCounting) {
  const gl = WebGL2RenderingContext.prototype;
  const spied = { draws: [], programs: new Map(), sums: [] };
  Object.assign(globalThis, { spied });
  const { attachShader, shaderSource, useProgram } = gl;
  const sources = new WeakMap();
  let program;
  gl.shaderSource = function (shader, source) {
    sources.set(shader, source);
    const out = /out vec4 (\w+);/.exec(source)?.[1];
    const countingSource = `${source.replace('void main()', 'void paint()')}\nvoid main(){paint();${out}=vec4(1./255.);}`;
    const isCounted = isCounting && source.includes('uniform Frame') && !source.includes('gl_Position');
    shaderSource.call(this, shader, isCounted ? countingSource : source);
  };
  gl.attachShader = function (to, shader) {
    if (!sources.get(shader).includes('gl_Position')) spied.programs.set(to, sources.get(shader));
    attachShader.call(this, to, shader);
  };
  gl.useProgram = function (used) {
    program = used;
    useProgram.call(this, used);
  };
  /** Number of fragments that all draws have written. */
  const countFragments = (context) => {
    const { drawingBufferWidth: width, drawingBufferHeight: height } = context;
    const pixels = new Uint8Array(width * height * 4);
    context.readPixels(0, 0, width, height, context.RGBA, context.UNSIGNED_BYTE, pixels);
    let total = 0;
    for (let i = 0; i < pixels.length; i += 4) total += pixels[i];
    return total;
  };
  /** @param countTriangles Gets the arguments of the draw. */
  const wrap = (name, countTriangles) => {
    const original = gl[name];
    gl[name] = function (...args) {
      const isFrame = spied.programs.get(program)?.includes('uniform Frame');
      if (isFrame) spied.draws.push({ source: spied.programs.get(program), triangles: countTriangles(...args) });
      if (!isFrame || !isCounting) return original.apply(this, args);
      this.enable(this.BLEND);
      this.blendFunc(this.ONE, this.ONE);
      original.apply(this, args);
      if (spied.isSumming) spied.sums.push(countFragments(this));
    };
  };
  wrap('drawElements', (_, indices) => indices / 3);
  // Modes 4 and 5 are TRIANGLES and TRIANGLE_STRIP.
  wrap('drawArrays', (mode, _, vertices) => (mode === 4 ? vertices / 3 : mode === 5 ? vertices - 2 : 0));
  wrap('drawArraysInstanced', (_, __, vertices, instances) => (vertices / 3) * instances);
}

/** Texture reads of a preprocessed fragment shader, with all branches taken. */
function countTextureReads(source) {
  const isLean = source.includes('#define LEAN');
  /** Whether each open `#if` is met. All of them depend on LEAN. */
  const conditions = [];
  const compiled = source.split('\n').filter((line) => {
    if (/^#if/.test(line)) conditions.push(/^#ifdef/.test(line) === isLean);
    else if (/^#else/.test(line)) conditions.push(!conditions.pop());
    else if (/^#endif/.test(line)) conditions.pop();
    else return conditions.every(Boolean);
    return false;
  });
  return compiled.join('\n').match(/texture\(/g)?.length ?? 0;
}

/** Loads the page with the scene, which it would not show without a GPU, and waits for its first frame. */
async function openScene(page, url) {
  await page.goto(`${url}/?scene=force`);
  await page.locator('[data-scene] canvas[data-drawn]').waitFor({ state: 'attached', timeout: 120_000 });
}

async function openStill(browser, url, viewport, isCounting) {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await page.addInitScript(spyOnDraws, isCounting);
  await openScene(page, url);
  return page;
}

/** Runs in the page. @returns Milliseconds of each frame until it is drawn. */
const timeFrames = ({ progress, frames }) => {
  const gl = document.querySelector('[data-scene] canvas').getContext('webgl2');
  const pixel = new Uint8Array(4);
  globalThis.ride.setProgress(progress, true);
  return Array.from({ length: frames }, (_, i) => {
    const start = performance.now();
    globalThis.ride.renderAt(3 + i * 7, 1);
    // Waits until the frame is drawn.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return performance.now() - start;
  });
};

/** Runs in the page. @returns The draws of one frame: shader, triangles, and written fragments as a share of all pixels. */
const countDraws = ({ progress, clear }) => {
  const { spied, ride } = globalThis;
  const gl = document.querySelector('[data-scene] canvas').getContext('webgl2');
  ride.setProgress(progress, true);
  spied.draws.length = 0;
  spied.sums.length = 0;
  spied.isSumming = true;
  gl.clearColor(0, 0, 0, 0);
  gl.clear(clear);
  ride.renderAt(3, 1);
  spied.isSumming = false;
  const pixels = gl.drawingBufferWidth * gl.drawingBufferHeight;
  return spied.draws.map((draw, i) => ({ ...draw, share: (spied.sums[i] - (spied.sums[i - 1] ?? 0)) / pixels }));
};

/** Longest task of the scene's code on the page's thread in milliseconds, without the forced scene. */
async function measureLongestTask(browser, url) {
  const page = await browser.newPage({ viewport: SCREENS.large });
  await page.addInitScript(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { scripts } of list.getEntries())
        for (const { sourceURL, duration } of scripts)
          if (sourceURL.includes('/assets/scene-')) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'long-animation-frame', buffered: true });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const longest = await page.evaluate(() => globalThis.longest);
  await page.close();
  return longest;
}

/**
 * Work of the page's thread per frame, from its own clock, so that other load and drawing are excluded. The window is
 * small, because a frame of a large one waits for the processor that draws it.
 * @param isScrolled Turns a wheel during the measurement, so that page, rider and hour move.
 */
async function measureFrame(browser, url, isScrolled) {
  const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  await page.addInitScript(() => {
    globalThis.frames = 0;
    const countFrame = () => {
      globalThis.frames += 1;
      requestAnimationFrame(countFrame);
    };
    countFrame();
  });
  await openScene(page, url);
  await page.waitForTimeout(INTRO_MS);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readCounters = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const msOf = (name) => metrics.find((metric) => metric.name === name).value * 1000;
    return { script: msOf('ScriptDuration'), all: msOf('TaskDuration'), frames: await page.evaluate('frames') };
  };
  await page.mouse.move(100, 100);
  const before = await readCounters();
  for (let turn = 0; turn < 80; turn++) {
    if (isScrolled) await page.mouse.wheel(0, 60);
    await page.waitForTimeout(100);
  }
  const after = await readCounters();
  await page.close();
  const frames = after.frames - before.frames;
  return { script: (after.script - before.script) / frames, all: (after.all - before.all) / frames };
}

const site = await startSite({ DEBUG: 'true' }, createDemoCheckout());
const browser = await chromium.launch(CHROMIUM);
try {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    console.log(`\n${screen}, ${viewport.width}x${viewport.height}`);
    const timed = await openStill(browser, site.url, viewport, false);
    for (const [hour, progress] of Object.entries(HOURS)) {
      const times = await timed.evaluate(timeFrames, { progress, frames: FRAMES });
      console.log(
        `  ${hour.padEnd(6)} ${median(times).toFixed(0).padStart(5)} ms a frame, best ${Math.min(...times).toFixed(0)}`,
      );
    }
    await timed.close();
    const counting = await openStill(browser, site.url, viewport, true);
    for (const [hour, progress] of Object.entries(HOURS)) {
      const draws = await counting.evaluate(countDraws, { progress, clear: CLEAR_BIT });
      const writesPerPixel = draws.reduce((sum, { share }) => sum + share, 0);
      const triangles = draws.reduce((sum, draw) => sum + draw.triangles, 0);
      console.log(
        `  ${hour}: ${draws.length} draws, ${triangles} triangles, each pixel written ${writesPerPixel.toFixed(2)} times`,
      );
      draws.forEach(({ source, triangles, share }, i) => {
        const figures = `${String(triangles).padStart(7)} triangles  ${countTextureReads(source)} reads`;
        console.log(`    ${DRAWS[i].padEnd(7)}${figures}  ${(share * 100).toFixed(1).padStart(6)} % of the pixels`);
      });
    }
    await counting.close();
  }
  for (const isScrolled of [false, true]) {
    const { script, all } = await measureFrame(browser, site.url, isScrolled);
    console.log(
      `${isScrolled ? 'a frame while it is scrolled,' : '\na frame of the ride,'} at a quarter of the speed: script ${(PHONE_SLOWDOWN * script).toFixed(1)} ms (of 4), all of the page's thread ${(PHONE_SLOWDOWN * all).toFixed(1)} ms`,
    );
  }
  console.log(
    `\nlongest task of the scene's own without a GPU: ${(await measureLongestTask(browser, site.url)).toFixed(0)} ms`,
  );
} finally {
  await browser.close();
  await site.stop();
}
