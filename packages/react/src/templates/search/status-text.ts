import type { SearchAnswer, Strings } from '@pillion/content/types.ts';

/** The text for a number of pages, by the plural rules of the language (CLDR). The default is the text for `many`. */
function countText(total: number, lang: string, { none, one, two, few, many }: Strings['search']): string {
  if (total === 0) return none;
  if (total === 1) return one;
  switch (new Intl.PluralRules(lang).select(total)) {
    case 'one':
      // Some languages use the form of 1 for 21 too. It is only correct there if its text contains the number.
      return one.includes('{count}') ? one : many;
    case 'two':
      return two || many;
    case 'few':
      return few || many;
    default:
      return many;
  }
}

/**
 * The status text of a search: how many pages it found, with the number in the language's format.
 * @param lang BCP 47 tag of the shell's language.
 * @returns Empty without a query.
 */
export function statusText({ query, total, isPartial }: SearchAnswer, { search }: Strings, lang: string): string {
  if (query === '') return '';
  const text = countText(total, lang, search)
    .replace('{count}', () => total.toLocaleString(lang))
    .replace('{query}', () => query);
  return isPartial ? `${text} ${search.partial}` : text;
}
