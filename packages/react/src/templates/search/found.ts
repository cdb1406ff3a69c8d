import type { SearchAnswer, Strings } from '@pillion/content/types.ts';

/**
 * The words for a number of pages, by the plural rules of the language (CLDR). What the editor has no words for is said as
 * any number is.
 */
function wordsFor(total: number, lang: string, { none, one, two, few, many }: Strings['search']): string {
  if (total === 0) return none;
  if (total === 1) return one;
  const rule = new Intl.PluralRules(lang).select(total);
  // Some languages say 21 as they say 1: only words that name the number do for both.
  const own = { one: one.includes('{count}') ? one : '', two, few }[rule as string];
  return own || many;
}

/**
 * What is said of an answer: how many pages were found, the number as the language writes it.
 * @param lang BCP 47 tag of the shell's language.
 * @returns Blank where nothing was looked for.
 */
export function saidOf({ query, total, isPartial }: SearchAnswer, { search }: Strings, lang: string): string {
  if (query === '') return '';
  const words = wordsFor(total, lang, search)
    .replace('{count}', () => total.toLocaleString(lang))
    .replace('{query}', () => query);
  return isPartial ? `${words} ${search.partial}` : words;
}
