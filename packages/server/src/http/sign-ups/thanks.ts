import type { Confirmation } from '@pillion/content/forms/confirmations.ts';
import { THANKS } from '@pillion/content/wordpress/default-strings.ts';
import { escapeMarkup } from '@pillion/lib/escape.ts';

/**
 * The page that thanks without script. One elsewhere is gone on to from here and not by a redirect: `form-action` of our
 * own policy forbids a form to end on another host.
 */
export function thanksFor(confirmation: Confirmation): { html: string; headers: Record<string, string> } {
  if (confirmation.type === 'message') return { html: confirmation.html, headers: {} };
  const { url } = confirmation;
  const link = `<p><a href="${escapeMarkup(url)}" rel="noopener">${escapeMarkup(url.replace(/^https?:\/\//, '').replace(/[?#].*/s, ''))}</a></p>`;
  return { html: THANKS + link, headers: { refresh: `0; url=${url}` } };
}
