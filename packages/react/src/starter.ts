/*
 * The one script that a document asks for. It fetches the rest once the visitor sees the page: until then what she reads
 * first has the line for itself (decision 041). It imports nothing, so it stays a few hundred bytes.
 */

/**
 * How long the loader waits for the entry once the page is painted, in milliseconds. On a fast line it has come by then,
 * and the scene begins under the loader.
 */
const ENTRY_MS = 400;

/** As `--longest-wait` in styles/tokens.css, on which hangs all that opens where no script comes (decision 008). */
const LONGEST_S = 8;

const root = document.documentElement;
// The visitor's choice between motion and none, before anything moves (lib/visitor.ts). Storage may be forbidden.
try {
  if (localStorage.motion) root.dataset.motion = localStorage.motion;
} catch {}
/** The entry, then chunks that it will ask for. The server writes their addresses, which change with every build. */
const [entry = '', ...chunks] =
  document.querySelector<HTMLScriptElement>('[data-later]')?.dataset.later?.split(' ') ?? [];
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const isReturning = visit?.type !== 'navigate';
let type: Promise<void> | undefined;
let isAsked = false;
let isRunning = false;

/** Has the stylesheet set the page in its typefaces once they are there: it is laid out anew one time only. */
async function loadTypefaces(): Promise<void> {
  await Promise.allSettled([...document.fonts].map((face) => face.load()));
  root.dataset.typed = '';
}

/** Asks for the typefaces and for the entry, once. */
function begin(): void {
  if (isAsked) return;
  isAsked = true;
  type ??= loadTypefaces();
  // Should it not come, `takeOver` lets the visitor in, and the console says what is missing.
  void import(/* @vite-ignore */ entry).then(() => {
    isRunning = true;
  });
  for (const chunk of chunks) import(/* @vite-ignore */ chunk).catch(() => {});
  // Coming back, or with a hash, the page goes to a place of its own first, which is the entry's work (R13).
  if (!isReturning && !location.hash) letIn(type).catch(() => {});
}

/**
 * Lets the visitor in once the poster and the typefaces are there and the entry is not: the loader waits for no script.
 * From where the entry runs, the stage alone decides (R40). A part that is lost is the stage's affair too.
 */
async function letIn(type: Promise<void>): Promise<void> {
  const poster = document.querySelector<HTMLImageElement>('[data-scene] img');
  await Promise.all([type, poster?.decode(), new Promise((resolve) => setTimeout(resolve, ENTRY_MS))]);
  // Not behind another tab: she would find the page open, and its parts slide in afterwards (R39).
  if (!isRunning && !document.hidden) root.dataset.letIn = '';
}

/**
 * Stops the stylesheet's clock, which counts hidden time (R9, R14), until the page was seen for 8 s. The stage opens it
 * before; then there is nothing left to release.
 * @param seen Seconds in which the page was visible.
 */
function takeOver(seen: number): void {
  root.style.setProperty('--longest-wait', seen < LONGEST_S ? '1e6s' : '0s');
  if (seen < LONGEST_S) setTimeout(takeOver, 1_000, document.hidden ? seen : seen + 1);
}

// A visitor who has seen the page for that long is in, and is not shut out again.
takeOver(document.hidden ? 0 : performance.now() / 1000);
// At the latest, also if the browser reports no paint. A constant would not be inlined.
setTimeout(begin, 3_000);
new PerformanceObserver((list) => {
  // The first paint may be the background alone: content counts.
  if (list.getEntriesByName('first-contentful-paint')[0]) begin();
}).observe({ type: 'paint', buffered: true });
// Whoever comes back, or from another page of ours, has the typefaces already: they are there with the first paint.
if (isReturning || document.referrer.startsWith(`${location.origin}/`)) type = loadTypefaces();
// A tab that is hidden paints nothing, so nobody waits for it.
if (document.hidden) begin();
// Firefox reports no paint of a page that begins at its hash: the second frame comes after the first one's paint.
else if (location.hash) requestAnimationFrame(() => requestAnimationFrame(begin));
