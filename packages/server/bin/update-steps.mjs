/** Heading, in a release's section of the changelog, of what users must do for the update. */
const STEPS = /^### When you update\n([\s\S]*?)(?=^###? |(?![\s\S]))/m;

/** @param {string} version */
function partsOf(version) {
  const [release = '', beta = ''] = version.split(/-(.*)/);
  return { numbers: release.split('.').map(Number), beta };
}

/** @param {string} version @param {string} other @returns Whether `version` is newer. A beta is older than its release. */
export function isNewer(version, other) {
  const [a, b] = [partsOf(version), partsOf(other)];
  for (const [index, number] of a.numbers.entries())
    if (number !== b.numbers[index]) return number > (b.numbers[index] ?? 0);
  if (!a.beta || !b.beta) return !a.beta && b.beta !== '';
  return a.beta.localeCompare(b.beta, 'en', { numeric: true }) > 0;
}

/**
 * @param {string} changelog The newest release first, each with the heading `## VERSION (date)`.
 * @param {string} before
 * @param {string} after
 * @returns {{ title: string, steps: string }[]} What to do for each release after `before`, up to `after`, the oldest
 *   first. Changes that are not released yet are newer than any release. No steps: an empty text.
 */
export const stepsBetween = (changelog, before, after) =>
  changelog
    // Git may have checked it out with the line ends of Windows.
    .replaceAll('\r\n', '\n')
    .split(/^(?=## )/m)
    .flatMap((section) => {
      const [, title = ''] = /^## (.+)/.exec(section) ?? [];
      const [version] = /^\d+\.\d+\.\d+(?:-[\w.-]+)?/.exec(title) ?? [];
      const steps = STEPS.exec(section)?.[1]?.trim() ?? '';
      const isReached = version && isNewer(version, before) && !isNewer(version, after);
      const isOpen = !version || /not released/i.test(title);
      const isMeant = isReached || (isOpen && steps !== '');
      return title && isMeant ? [{ title, steps }] : [];
    })
    .reverse();
