/**
 * Runs `work` once the browser has painted what is on the page now: a frame's callbacks run before its paint, the task
 * after them behind it. A hidden tab paints nothing, so there it waits until the visitor comes.
 */
export const afterPaint = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};

/**
 * Runs `work` once the visitor sees the page for the first time, at once if she does already. Later than `afterPaint`
 * where the GPU is slow: what loads then competes with nothing she waits for.
 */
export const afterFirstPaint = (work: () => void): void => {
  new PerformanceObserver((_, paints) => {
    paints.disconnect();
    work();
  }).observe({ type: 'paint', buffered: true });
};
