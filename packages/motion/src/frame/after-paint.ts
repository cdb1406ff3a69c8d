/**
 * Runs `work` after the next paint: a frame's callbacks run before its paint, and a task that they queue runs after it.
 * A hidden tab does not paint, so `work` waits until the tab is visible.
 */
export const afterPaint = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};

/** Firefox reports no paint for a page opened at a hash. After this time we assume a paint, in milliseconds. */
const PAINT_TIMEOUT_MS = 3_000;

/**
 * Runs `work` after the page's first contentful paint, or at once if that is over. On a slow GPU this is later than
 * `afterPaint`, so that `work` does not compete with what the visitor waits for.
 */
export const afterFirstPaint = (work: () => void): void => {
  let isDone = false;
  let timer: number | undefined;
  const observer = new PerformanceObserver((paints) => {
    // The browser may paint the background first: wait for content.
    if (paints.getEntriesByName('first-contentful-paint').length > 0) finish();
  });
  const finish = () => {
    if (isDone) return;
    isDone = true;
    observer.disconnect();
    clearTimeout(timer);
    work();
  };
  observer.observe({ type: 'paint', buffered: true });
  afterPaint(() => {
    if (!isDone) timer = window.setTimeout(finish, PAINT_TIMEOUT_MS);
  });
};
