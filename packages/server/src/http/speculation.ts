/** Address of the speculation rules. */
export const SPECULATION_PATH = '/speculation-rules.json';

/** Header of a page, which leads browsers to the rules (Speculation Rules, HTML §7.6). */
export const SPECULATION = { 'speculation-rules': `"${SPECULATION_PATH}"` };

/**
 * What browsers may prefetch: a page, when the pointer is over its link, and only where no script runs. With script the
 * site prefetches (R43), and the starter has set the root's `style` at once.
 */
export const SPECULATION_RULES = {
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          { not: { href_matches: ['/api/*', '/assets/*', '/media/*'] } },
          { selector_matches: ':root:not([style]) a:not([download])' },
        ],
      },
      eagerness: 'moderate',
    },
  ],
};
