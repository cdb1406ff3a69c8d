import type { ShellAnswer, ShellContent } from '@pillion/content/types.ts';
import { addStyles } from '../ui/add-styles.ts';
import { siteFetch } from './site-fetch.ts';

/** Age after which the shell is requested again (R23), in milliseconds. The server caches content for the same time. */
const FRESH_MS = 60_000;

interface ShellRefreshOptions {
  /** Build of the running script. Menus and texts of another build may have a different format. */
  build: string;
  shell: () => ShellContent;
  /** If it rejects, the shell stays unchanged, and the next call requests it again. */
  show: (shell: ShellContent) => void | Promise<void>;
  /** Epoch milliseconds. */
  now?: () => number;
}

/**
 * Fetches menus and texts, and the stylesheets of their language.
 * @throws If the response is from another build or is invalid.
 */
export async function fetchShell(lang: string, build: string): Promise<ShellContent> {
  const response = await siteFetch(`/api/shell?lang=${lang}`);
  // Only a complete response has this header.
  if (response.headers.get('pillion-build') !== build) throw Error();
  const { styles = [], ...shell }: ShellAnswer = await response.json();
  await Promise.all(styles.map(addStyles));
  return shell;
}

/**
 * Refreshes menus and texts during a long visit (R23). The document contains the first ones.
 * @returns Called with the page's language after a navigation and on return to the tab. It requests the shell again if
 * the last response is too old or in another language. It never rejects; without a response the shell stays unchanged.
 */
export function createShellRefresh({ build, shell, show, now = Date.now }: ShellRefreshOptions) {
  let refreshedAtMs = now();
  let isRefreshing = false;

  const refresh = async (lang: string): Promise<void> => {
    const newShell = await fetchShell(lang, build);
    // A render without changes would only disturb the visitor.
    if (JSON.stringify(newShell) !== JSON.stringify(shell())) await show(newShell);
    refreshedAtMs = now();
  };

  return async (lang: string): Promise<void> => {
    if (isRefreshing || (now() - refreshedAtMs < FRESH_MS && lang === shell().lang)) return;
    isRefreshing = true;
    await refresh(lang).catch(() => {});
    isRefreshing = false;
  };
}
