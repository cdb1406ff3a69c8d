/**
 * What browsers may prefetch: a page, when the pointer is over its link, and only where no script runs. With script the
 * site prefetches (R43), and the starter has set the root's `style` at once. Links of a site begin with one slash.
 */
const RULES = {
  prefetch: [
    {
      where: {
        selector_matches:
          ":root:not([style]) a[href^='/']:not([download],[href^='//'],[href^='/api/'],[href^='/assets/'],[href^='/media/'])",
      },
      eagerness: 'moderate',
    },
  ],
};

/** Header of a page (Speculation Rules, HTML §7.6). The rules are in the address, so they are no request. */
export const SPECULATION = {
  'speculation-rules': `"data:application/speculationrules+json,${encodeURIComponent(JSON.stringify(RULES))}"`,
};
