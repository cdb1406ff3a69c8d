/** Answers `null` once `ms` milliseconds are over, or where the work fails; the work goes on. */
export function patiently<T>(ms: number, work: Promise<T>): Promise<T | null> {
  if (ms <= 0) return Promise.resolve(null);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    const settle = (value: T | null) => {
      clearTimeout(timer);
      resolve(value);
    };
    work.then(settle, () => settle(null));
  });
}
