import { platformNavigation } from '@pillion/lib/browser/navigation-api.ts';
import { stored } from '@pillion/lib/browser/visitor.ts';

/*
 * Without the Navigation API (Safari before 26.2, WebKitGTK) each page is loaded in full, which ends the music. The next
 * page continues it at this position.
 */

const POSITION_KEY = 'sound-at';

/** @returns The position that the last page of this tab has stored, in seconds, or `null` if it was silent. */
export const storedPosition = (): string | null => stored((storage) => storage.getItem(POSITION_KEY), 'sessionStorage');

/** @param seconds Position in the track, `null` for silence. */
export function storePosition(seconds: number | null): void {
  stored((storage) => {
    if (seconds === null || platformNavigation()) storage.removeItem(POSITION_KEY);
    else storage.setItem(POSITION_KEY, String(seconds));
  }, 'sessionStorage');
}
