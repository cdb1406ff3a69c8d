// What a page shows, read in the page.

/** @typedef {import('playwright-core').Page} Page */

/** Elements that overflow the window at either side, except those that scroll independently. @param {Page} page */
export const overflowing = (page) =>
  page.evaluate(() => {
    const windowWidth = document.documentElement.clientWidth;
    /** Whether the element or one around it scrolls or cuts its content. @type {(element: Element | null) => boolean} */
    const isClipped = (element) =>
      element !== null &&
      element !== document.body &&
      (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || isClipped(element.parentElement));
    const pageProblem = document.documentElement.scrollWidth > windowWidth ? ['the page scrolls sideways'] : [];
    const tooWide = [...document.querySelectorAll('header *, main *, footer *')].filter((element) => {
      if (!element.checkVisibility() || element.matches('.visually-hidden, .visually-hidden *')) return false;
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (right > windowWidth + 1 || left < -1) && !isClipped(element.parentElement);
    });
    return [
      ...pageProblem,
      ...tooWide.map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`),
    ];
  });

/** Running animations that move something; colours and fades may continue. @param {Page} page */
export const moving = (page) =>
  page.evaluate(() => {
    /** Members of a keyframe that move nothing. */
    const motionless =
      /^(?:offset|easing|composite|computedOffset|opacity|overflow.*|scrollbar(?:Width|Gutter)|pointerEvents|visibility|color|.*[cC]olor)$/;
    return (
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => /** @type {KeyframeEffect} */ (effect))
        // A transition without a duration only delays a change.
        .filter((effect) => effect.getComputedTiming().duration !== 0)
        .flatMap((effect) => {
          const members = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
          const movers = [...new Set(members.filter((name) => !motionless.test(name)))];
          const { tagName, className } = effect.target ?? {};
          return movers.length > 0 ? [`${tagName} ${className} (${movers.join(', ')})`] : [];
        })
    );
  });

/**
 * Texts that a stylesheet hides although no script will ever show them.
 * @param {Page} page
 * @param {string} [within] Selector.
 */
export const unseenTexts = (page, within = 'header *, main *, footer *') =>
  page.evaluate((within) => {
    const hiddenOnPurpose =
      '.visually-hidden, .visually-hidden *, [aria-hidden=true], [aria-hidden=true] *, script, style';
    const hasText = (/** @type {Element} */ { childNodes }) =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    return [...document.querySelectorAll(within)]
      .filter((element) => hasText(element) && !element.matches(hiddenOnPurpose))
      .filter((element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((element) => element.textContent?.trim());
  }, within);

/** Fields of the forms in the content, by name. @param {Page} page */
export const fields = (page) =>
  page
    .locator('main form :is(input, select, textarea):not([type=hidden])')
    .evaluateAll((all) => all.map((one) => one.getAttribute('name') ?? '').filter(Boolean));

/**
 * Sum of all layout shifts of a page without input until now. Chromium marks shifts after the emulation of a phone as
 * caused by input, so the mark is ignored.
 * @param {Page} page
 * @returns {Promise<{ sum: number, worst: string }>} `worst`: text or tag of what the largest shift moved.
 */
export const layoutShift = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let [sum, worst, worstValue] = [0, '', 0];
        new PerformanceObserver((list) => {
          for (const entry of /** @type {any[]} */ (list.getEntries())) {
            sum += entry.value;
            const [source] = entry.sources ?? [];
            if (entry.value <= worstValue) continue;
            worstValue = entry.value;
            worst = source?.node?.textContent?.trim().slice(0, 40) || source?.node?.tagName || '';
          }
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ sum, worst })));
      }),
  );

/**
 * Scrolls from the top to the end in steps of three quarters of a window.
 * @param {Page} page
 * @param {() => Promise<unknown>} look Called at each step.
 */
export async function throughPage(page, look) {
  for (let top = 0; ; ) {
    await page.evaluate((top) => {
      scrollTo({ top, behavior: 'instant' });
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, top);
    await look();
    const { height, step } = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      step: Math.round(innerHeight * 0.75),
    }));
    if (top + step >= height) return;
    top += step;
  }
}

/** Addresses of links and their text. @param {Page} page */
export const links = (page) =>
  page
    .locator('a[href]')
    .evaluateAll((all) =>
      all.map((one) => ({ href: /** @type {HTMLAnchorElement} */ (one).href, text: one.textContent?.trim() ?? '' })),
    );

/** Pictures that did not load. @param {Page} page */
export const brokenPictures = (page) =>
  page
    .locator('img')
    .evaluateAll((all) =>
      /** @type {HTMLImageElement[]} */ (all)
        .filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
        .map(({ src }) => src),
    );
