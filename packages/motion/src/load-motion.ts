type Motion = typeof import('./motion.ts');

let arrival: Promise<Motion> | undefined;

/** Fetches the code that moves the page, once. Rejects when it cannot be had: the page then scrolls as the browser does. */
export const loadMotion = (): Promise<Motion> => {
  arrival ??= import('./motion.ts');
  return arrival;
};
