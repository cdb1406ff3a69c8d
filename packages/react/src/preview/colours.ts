import type { FailedReason, LowContrast } from '@pillion/content/preview/pane-messages.ts';
import { failedReason } from './drafts.ts';

/** The server's response for a look (packages/server/src/look.ts). */
interface LookResponse {
  css: string;
  problems: LowContrast[];
}

interface ColoursOptions {
  /** Token of the preview, which authorizes the request. */
  token: string;
  /** Gets the texts with too little contrast. */
  onShown: (problems: LowContrast[]) => void;
  onFailed: (reason: FailedReason) => void;
}

/**
 * Shows colours and typefaces that are not saved.
 * @returns A function that shows a look. Responses for older looks are ignored.
 */
export function createColours({ token, onShown, onFailed }: ColoursOptions): (look: object) => Promise<void> {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let newestRequest = 0;
  return async (look) => {
    newestRequest += 1;
    const request = newestRequest;
    const query = new URLSearchParams({ look: JSON.stringify(look) });
    const headers = { 'pillion-preview-token': token };
    const response = await fetch(`/api/look?${query}`, { headers }).catch(() => null);
    const effect: LookResponse | null = response?.ok ? await response.json().catch(() => null) : null;
    if (request !== newestRequest) return;
    if (!effect) return onFailed(failedReason(response));
    sheet.replaceSync(effect.css);
    onShown(effect.problems);
  };
}
