import type { Page } from '@pillion/content/types.ts';

/** Where the language is kept that the visitor chose, or declined. */
const CHOICE = 'language';

/** Language and script: who reads Taiwan's Chinese does not read Beijing's, who reads Portugal's Portuguese reads Brazil's. */
function reading(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return language + script;
}

/**
 * The language in which a visitor would rather read the page: the first that her browser names and the page stands in.
 * @returns Its tag; nothing where that is the page's own, and once she has chosen or declined one.
 */
export function offeredLanguage({ lang, translations = {} }: Page): string | undefined {
  // Storage may be forbidden, and a browser may name what is no language. An offer that comes back on each page helps nobody.
  try {
    if (localStorage.getItem(CHOICE)) return;
    const tags = [lang, ...Object.keys(translations).filter((tag) => translations[tag]?.isSame)];
    for (const wanted of navigator.languages) {
      const match = tags.find((tag) => tag === wanted) ?? tags.find((tag) => reading(tag) === reading(wanted));
      if (match) return match === lang ? undefined : match;
    }
  } catch {}
}

/** No language is offered from now on. */
export function chooseLanguage(tag: string): void {
  try {
    localStorage.setItem(CHOICE, tag);
  } catch {}
}
