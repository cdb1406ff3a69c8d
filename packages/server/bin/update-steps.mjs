/** The part of a release's section in the changelog that says what to do for the update. It ends before the next heading. */
const STEPS_SECTION = /^### When you update\n([\s\S]*?)(?=^###? |(?![\s\S]))/m;

/** @param {string} version As in `1.10.0-beta.2`. @returns `beta`: `''` for a release. */
function parseVersion(version) {
  const [release = '', beta = ''] = version.split(/-(.*)/);
  return { numbers: release.split('.').map(Number), beta };
}

/** @param {string} version @param {string} other @returns Whether `version` is newer. A beta is older than its release. */
export function isNewer(version, other) {
  const [own, others] = [parseVersion(version), parseVersion(other)];
  for (const [index, number] of own.numbers.entries())
    if (number !== others.numbers[index]) return number > (others.numbers[index] ?? 0);
  if (!own.beta || !others.beta) return !own.beta && others.beta !== '';
  // Numeric, so that beta.10 is newer than beta.9.
  return own.beta.localeCompare(others.beta, 'en', { numeric: true }) > 0;
}

/**
 * @param {string} changelog The newest release first, each with the heading `## VERSION (date)`.
 * @param {string} before Version before the update.
 * @param {string} after Version after it.
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
      const steps = STEPS_SECTION.exec(section)?.[1]?.trim() ?? '';
      const isInUpdate = version && isNewer(version, before) && !isNewer(version, after);
      const isUnreleased = !version || /not released/i.test(title);
      return title && (isInUpdate || (isUnreleased && steps !== '')) ? [{ title, steps }] : [];
    })
    .reverse();
