/**
 * Runs `work` once the browser has painted what is on the page now: a frame's callbacks run before its paint, the task
 * after them behind it. A hidden tab paints nothing, so there it waits until the visitor comes.
 */
export const afterPaint = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};

/**
 * Firefox reports no paint on a page that begins at its hash. We take the page for painted after this time, in
 * milliseconds.
 */
const UNREPORTED_MS = 3_000;

/**
 * Runs `work` once the visitor sees something of the page for the first time, at once if she does already. Later than
 * `afterPaint` where the GPU is slow: what loads then competes with nothing she waits for.
 */
export const afterFirstPaint = (work: () => void): void => {
  let isDue = true;
  let timer: number | undefined;
  const observer = new PerformanceObserver((paints) => {
    // The first paint may be the background alone: content counts.
    if (paints.getEntriesByName('first-contentful-paint').length > 0) once();
  });
  const once = () => {
    observer.disconnect();
    clearTimeout(timer);
    if (isDue) work();
    isDue = false;
  };
  observer.observe({ type: 'paint', buffered: true });
  afterPaint(() => {
    if (isDue) timer = window.setTimeout(once, UNREPORTED_MS);
  });
};
