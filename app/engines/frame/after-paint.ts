/**
 * Runs `work` once the browser has painted what is on the page now: a frame's callbacks run before its paint, the task
 * after them behind it. A hidden tab paints nothing, so there it waits until the visitor comes.
 */
export const afterPaint = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};
