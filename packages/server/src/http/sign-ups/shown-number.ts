import type { ShellContent } from '@pillion/content/types.ts';
import { escapeMarkup } from '@pillion/lib/escape.ts';
import type { SignUpNumbers } from '@pillion/sign-ups/sign-up-number.ts';

/** A visitor's sign-up number, and the markup that shows it: the site's picture, if it has one, and words. */
export interface ShownNumber {
  number: number;
  html: string;
}

/**
 * @param counted The number of this sign-up on this site; `null`: it is not known.
 * @returns `null` where the editor shows no number.
 */
export function shownNumber(
  counted: number | null,
  { lang, strings: { sign_up_number } }: ShellContent,
  { picture }: Pick<SignUpNumbers, 'picture'>,
): ShownNumber | null {
  if (counted === null || sign_up_number.from === null) return null;
  const number = sign_up_number.from + counted;
  const shown = `<b>${number.toLocaleString(lang)}</b>`;
  const words = escapeMarkup(sign_up_number.text).replaceAll('{number}', shown);
  return { number, html: `<div class="form-number">${picture(number)}<p>${words}</p></div>` };
}
