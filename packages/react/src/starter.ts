/*
 * The only script that a document requests. It fetches the others after the first paint, so that the text has the full
 * bandwidth until then (decision 041). It imports nothing, so that it stays a few hundred bytes.
 */

/**
 * How long the loader waits for the entry after the first paint, in milliseconds. On a fast connection the entry is
 * loaded by then, and the scene starts behind the loader.
 */
const ENTRY_WAIT_MS = 400;

/**
 * Equals `--longest-wait` in styles/tokens.css, after which the page opens without script (decision 008). In seconds.
 */
const MAX_WAIT_S = 8;

const root = document.documentElement;
// Apply the visitor's choice of motion before anything moves (lib/browser/visitor.ts). Storage may be blocked.
try {
  if (localStorage.motion) root.dataset.motion = localStorage.motion;
} catch {}
// The stylesheet's transition to the next document knows only the system's setting.
window.onpageswap = ({ viewTransition }) => {
  if (root.dataset.motion === 'reduced') viewTransition?.skipTransition();
};
/**
 * URLs of the entry and of the chunks that it will import at once. The server writes them, because they change with each build.
 */
const laterFiles = (document.querySelector('[data-later]') as HTMLElement).dataset.later as string;
const [navigationEntry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
/** A reload, Back or Forward: the browser has a scroll position to restore. */
const isReturning = navigationEntry?.type !== 'navigate';
let typefaces: Promise<void> | undefined;
let isRequested = false;
let isEntryRunning = false;

/** Applies the fonts when all are loaded, so that the layout changes only once. */
async function loadTypefaces(): Promise<void> {
  await Promise.allSettled([...document.fonts].map((face) => face.load()));
  root.dataset.typed = '';
}

/** Loads the fonts and the entry, once. */
function loadEntry(): void {
  if (isRequested) return;
  isRequested = true;
  typefaces ??= loadTypefaces();
  // If one cannot be loaded, `openAfterVisibleTime` opens the page, and the console shows the error.
  void Promise.all(laterFiles.split(' ').map((file) => import(/* @vite-ignore */ file))).then(() => {
    isEntryRunning = true;
  });
  // After a reload, on Back or Forward, or with a hash, the entry must set the scroll position first (R13).
  if (!isReturning && !location.hash) openWithoutEntry(typefaces).catch(() => {});
}

/**
 * Opens the page once the poster and the fonts are loaded, without waiting for the entry. If the entry is running, the
 * stage decides (R40), also about parts that failed.
 */
async function openWithoutEntry(typefaces: Promise<void>): Promise<void> {
  const poster = document.querySelector<HTMLImageElement>('[data-scene] img');
  await Promise.all([typefaces, poster?.decode(), new Promise((resolve) => setTimeout(resolve, ENTRY_WAIT_MS))]);
  // Not in a hidden tab: the visitor would find the page open before its parts slide in (R39).
  if (!isEntryRunning && !document.hidden) root.dataset.letIn = '';
}

/**
 * Replaces the timeout of the stylesheet, which counts hidden time (R9, R14): the page opens after it was visible for 8
 * s. Usually the stage opens it before.
 * @param visibleSeconds Seconds in which the page was visible.
 */
function openAfterVisibleTime(visibleSeconds: number): void {
  const isTimedOut = visibleSeconds >= MAX_WAIT_S;
  root.style.setProperty('--longest-wait', isTimedOut ? '0s' : '1e6s');
  if (!isTimedOut) setTimeout(openAfterVisibleTime, 1_000, document.hidden ? visibleSeconds : visibleSeconds + 1);
}

// For code that is not loaded yet.
window.onclick = ({ target }) => {
  window.clicked = target;
};
// Time before this script counts, so that a page that has already opened stays open.
openAfterVisibleTime(document.hidden ? 0 : performance.now() / 1000);
// Start after 3 s even if the browser reports no paint. A literal, because the build does not inline a constant here.
setTimeout(loadEntry, 3_000);
new PerformanceObserver((list) => {
  // The browser may paint the background first: wait for content.
  if (list.getEntriesByName('first-contentful-paint')[0]) loadEntry();
}).observe({ type: 'paint', buffered: true });
// After a reload, on Back or Forward, or from another page of this site, the fonts are in the cache and ready for the
// first paint.
if (isReturning || document.referrer.startsWith(`${location.origin}/`)) typefaces = loadTypefaces();
// A hidden tab does not paint, so start at once.
if (document.hidden) loadEntry();
// Firefox reports no paint for a page opened at a hash. The second frame comes after the first paint.
else if (location.hash) requestAnimationFrame(() => requestAnimationFrame(loadEntry));
