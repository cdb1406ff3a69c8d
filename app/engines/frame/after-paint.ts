/**
 * Runs `work` once the browser has painted what is on the page now: a frame's callbacks run before its paint, the task
 * after them behind it. A hidden tab paints nothing, so there it waits until the visitor comes.
 */
export const afterPaint = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};

/** Firefox tells of no paint where the page begins at its hash: after this long there was one, in milliseconds. */
const UNTOLD_MS = 3_000;

/**
 * Runs `work` once the visitor sees something of the page for the first time, at once if she does already. Later than
 * `afterPaint` where the GPU is slow: what loads then competes with nothing she waits for.
 */
export const afterFirstPaint = (work: () => void): void => {
  let isDue = true;
  let untold: number | undefined;
  const observer = new PerformanceObserver((paints) => {
    // A ground without anything on it is a paint too.
    if (paints.getEntriesByName('first-contentful-paint').length > 0) once();
  });
  const once = () => {
    observer.disconnect();
    clearTimeout(untold);
    if (isDue) work();
    isDue = false;
  };
  observer.observe({ type: 'paint', buffered: true });
  afterPaint(() => {
    if (isDue) untold = window.setTimeout(once, UNTOLD_MS);
  });
};
