import type { ShellAnswer, ShellContent } from '@pillion/content/types.ts';
import { siteFetch } from '@pillion/lib/browser/site-fetch.ts';
import { addStyles } from '../ui/add-styles.ts';

/** An older answer is asked for again (R23), in milliseconds: as long as content counts as fresh on the server. */
const FRESH_MS = 60_000;

interface ShellRefreshOptions {
  /** Name of the running script's build: menus and strings of another one may have another shape. */
  build: string;
  shell: () => ShellContent;
  /** Where it rejects the shell stays as it is, and the next occasion asks again. */
  show: (shell: ShellContent) => void | Promise<void>;
  /** Epoch milliseconds. */
  now?: () => number;
}

/**
 * Asks for menus and strings, and for the sheets of their language.
 * @throws Where another build answers, or nothing that can be read.
 */
export async function askShell(lang: string, build: string): Promise<ShellContent> {
  const response = await siteFetch(`/api/shell?lang=${lang}`);
  // Only a whole answer names its build.
  if (response.headers.get('pillion-build') !== build) throw Error();
  const { styles = [], ...shell }: ShellAnswer = await response.json();
  await Promise.all(styles.map(addStyles));
  return shell;
}

/**
 * Keeps menus and strings of a long visit up to date (R23). The document brought the first ones.
 * @returns To be called with the page's language when the visitor moves on or comes back to the tab: asks again where
 * the last answer is too old or in another language. Never rejects; without an answer what is shown stands.
 */
export function createShellRefresh({ build, shell, show, now = Date.now }: ShellRefreshOptions) {
  let answered = now();
  let isAsking = false;

  const ask = async (lang: string): Promise<void> => {
    const newest = await askShell(lang, build);
    // Drawing again what has not changed would only disturb what the visitor is doing.
    if (JSON.stringify(newest) !== JSON.stringify(shell())) await show(newest);
    answered = now();
  };

  return async (lang: string): Promise<void> => {
    if (isAsking || (now() - answered < FRESH_MS && lang === shell().lang)) return;
    isAsking = true;
    await ask(lang).catch(() => {});
    isAsking = false;
  };
}
