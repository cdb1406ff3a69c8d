import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

type AxePage = ConstructorParameters<typeof AxeBuilder>[0]['page'];

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Findings of axe, one line per element. */
export async function violations(page: Page): Promise<string[]> {
  // axe's own copy of Playwright names the same page by another type.
  const axe = new AxeBuilder({ page: page as unknown as AxePage });
  const { violations } = await axe.withTags(RULES).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => ({ id, target: String(target), failureSummary })),
  );
  const lines: string[] = [];
  for (const { id, target, failureSummary } of found) {
    // axe takes the page's background for that of a text under another section. Visitors cannot read that text then.
    if (id === 'color-contrast' && (await isCovered(page, target))) continue;
    lines.push(`${id} ${target}: ${failureSummary}`);
  }
  return lines;
}

const isCovered = (page: Page, target: string) =>
  page.locator(target).evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && !node.contains(hit) && !hit.contains(node);
  });

/** Transitions end, so that colours are those that a visitor sees. */
export const settled = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // Scroll-driven animations never end, nor do the sound's bars.
        .filter(
          ({ timeline, effect }) =>
            timeline === document.timeline && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        )
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
