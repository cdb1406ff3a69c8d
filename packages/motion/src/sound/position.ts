import { platformNavigation } from '@pillion/lib/browser/navigation-api.ts';

/*
 * Without the Navigation API (Safari before 26.2, WebKitGTK) each page is loaded in full, which ends the music. The next
 * page continues it at this position.
 */

const KEY = 'sound-at';

/** Storage can be blocked. Then the music starts again with a click. */
function inTab<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/** @returns The position that the last page of this tab has stored, in seconds, or `null` if it was silent. */
export const storedPosition = (): string | null => inTab((storage) => storage.getItem(KEY));

/** @param seconds Position in the track, `null` for silence. */
export function storePosition(seconds: number | null): void {
  inTab((storage) => {
    if (seconds === null || platformNavigation()) storage.removeItem(KEY);
    else storage.setItem(KEY, String(seconds));
  });
}
