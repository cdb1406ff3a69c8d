import type { FailedReason, LowContrast } from '@pillion/content/preview/pane-messages.ts';
import { failedBy } from './drafts.ts';

/** What the server says of a look (packages/server/src/look.ts). */
interface Judged {
  css: string;
  problems: LowContrast[];
}

interface ColoursOptions {
  /** Of the preview. */
  token: string;
  /** Called with the text that cannot be read. */
  onShown: (problems: LowContrast[]) => void;
  onFailed: (reason: FailedReason) => void;
}

/**
 * Shows colours and typefaces that are not saved.
 * @returns Shows a look. A newer one replaces those that are on their way.
 */
export function createColours({ token, onShown, onFailed }: ColoursOptions): (look: object) => Promise<void> {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let newest = 0;
  return async (look) => {
    newest += 1;
    const own = newest;
    const query = new URLSearchParams({ look: JSON.stringify(look) });
    const headers = { 'pillion-preview-token': token };
    const response = await fetch(`/api/look?${query}`, { headers }).catch(() => null);
    if (own !== newest) return;
    if (!response?.ok) return onFailed(failedBy(response));
    const { css, problems } = (await response.json()) as Judged;
    if (own !== newest) return;
    sheet.replaceSync(css);
    onShown(problems);
  };
}
