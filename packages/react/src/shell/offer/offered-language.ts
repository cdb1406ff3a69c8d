import type { Page } from '@pillion/content/types.ts';
import { stored } from '@pillion/lib/browser/visitor.ts';

/** Storage key of the language that the visitor chose or declined. */
const CHOICE_KEY = 'language';

/** Language and script, so that `zh-TW` does not match `zh-CN`, but `pt-PT` matches `pt-BR`. */
function languageAndScript(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return language + script;
}

/**
 * The language to offer: the first of the browser's languages in which the page exists.
 * @returns Its tag; `undefined` if it is the page's language, or if the visitor has already chosen or declined.
 */
export function offeredLanguage({ lang, translations = {} }: Page): string | undefined {
  // Storage may be blocked, and a browser may report an invalid language. Then there is no offer, because it would come
  // back on each page.
  try {
    if (localStorage.getItem(CHOICE_KEY)) return;
    const tags = [lang, ...Object.keys(translations).filter((tag) => translations[tag]?.isSame)];
    for (const wanted of navigator.languages) {
      const match =
        tags.find((tag) => tag === wanted) ?? tags.find((tag) => languageAndScript(tag) === languageAndScript(wanted));
      if (match) return match === lang ? undefined : match;
    }
  } catch {}
}

/** Stores the choice. No language is offered afterwards. */
export function storeLanguageChoice(tag: string): void {
  stored((storage) => storage.setItem(CHOICE_KEY, tag));
}
