import { AxeBuilder } from '@axe-core/playwright';

/** @typedef {import('playwright-core').Page} Page */

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** @param {Page} page @returns {Promise<string[]>} Findings of axe, one line per element. */
export async function violations(page) {
  const report = await new AxeBuilder({ page }).withTags(RULES).analyze();
  /** @type {string[]} */
  const lines = [];
  for (const { id, nodes } of report.violations)
    for (const { target, failureSummary = '' } of nodes) {
      // axe takes the page's background for that of a text under another section. Visitors cannot read that text then.
      if (id === 'color-contrast' && (await isCovered(page, String(target)))) continue;
      lines.push(`${id} ${target}: ${failureSummary.replace(/\s+/g, ' ').trim()}`);
    }
  return lines;
}

/** Whether another element covers the middle of one. @param {Page} page @param {string} target Selector. */
const isCovered = (page, target) =>
  page.locator(target).evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && !node.contains(hit) && !hit.contains(node);
  });

/** Waits for the end of transitions, so that colours are those that a visitor sees. @param {Page} page */
export const settled = (page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // Scroll-driven and paused animations never end, nor do the sound's bars.
        .filter(
          ({ timeline, effect, playState }) =>
            timeline === document.timeline &&
            playState !== 'paused' &&
            effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        )
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
