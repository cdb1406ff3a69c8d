// The status line of the pane.
const { __ } = wp.i18n;

/**
 * `wordpress`: empty, `slow` or an error message. `site`: `ready`, a key of `SITE_TEXTS`, or another reason of the site for
 * not showing a draft.
 */
export type Status = { wordpress: string; site: string };

/** Texts for the states of the site's page. */
const SITE_TEXTS: Record<string, string> = {
  opening: __('Opening the site…', 'pillion'),
  silent: __(
    'The site does not respond or does not accept this WordPress. WordPress will try again. If this continues, an administrator can find the reason under Pillion → Site.',
    'pillion',
  ),
  expired: __('The site rejects the preview from WordPress. WordPress will try again.', 'pillion'),
  late: __('The site is slow. It will show your changes as soon as possible.', 'pillion'),
  'too-large': __(
    'This page is larger than 2 MB, so it cannot be shown while you write. Save it and use Preview.',
    'pillion',
  ),
  'too-long': __(
    'This page has more than 500,000 characters or too many parts, so it cannot be shown while you write. Save it and use Preview.',
    'pillion',
  ),
  failed: __('The site cannot show this version. It still shows the previous one.', 'pillion'),
  blocked: __('The browser blocked the window. Allow pop-ups for this address.', 'pillion'),
};

const READY_TEXT = __('The site shows what you write.', 'pillion');
const SLOW_TEXT = __('WordPress is slow. The site will show your changes as soon as possible.', 'pillion');
const RETRY_TEXT = __('You can go on writing. The editor will try again.', 'pillion');

export const describeStatus = ({ wordpress, site }: Status): { text: string; isProblem: boolean } => {
  if (wordpress === 'slow') return { text: SLOW_TEXT, isProblem: true };
  if (wordpress) return { text: `${wordpress} ${RETRY_TEXT}`, isProblem: true };
  if (site === 'ready') return { text: READY_TEXT, isProblem: false };
  return { text: SITE_TEXTS[site] ?? SITE_TEXTS.failed, isProblem: site !== 'opening' };
};

/** @returns The same object if the change changes nothing, so that React renders nothing. */
export const updateStatus = (status: Status, change: Partial<Status>) =>
  (Object.keys(change) as (keyof Status)[]).every((name) => status[name] === change[name])
    ? status
    : { ...status, ...change };
