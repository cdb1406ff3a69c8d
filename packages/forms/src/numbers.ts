import type { FormField } from './form.ts';

/** Digits, optionally in groups of three, with an optional decimal part. */
const PLAIN = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;

type Written = Partial<Pick<FormField, 'format' | 'currency'>>;

/** Thousands and decimal separators. */
function signsOf({ format, currency }: Written): [string, string] {
  if (currency) return [currency.thousands, currency.decimal];
  return format === 'decimal-comma' ? ['.', ','] : [',', '.'];
}

/**
 * Parses a number that a visitor wrote.
 * @param as `decimal-comma` swaps comma and point, a currency has its own separators.
 * @returns `null` if the text is not a number.
 */
export function numberIn(text: string, as: Written = {}): number | null {
  const [thousands, decimal] = signsOf(as);
  const symbols = as.currency ? [as.currency.before, as.currency.after] : [];
  const bare = symbols.reduce((rest, symbol) => rest.replace(symbol, ''), text).trim();
  // Any other character makes the text invalid.
  const turned = bare.replace(/[^-\d]/gu, (sign) => (sign === decimal ? '.' : sign === thousands ? ',' : '?'));
  return PLAIN.test(turned) && /\d/.test(turned) ? Number(turned.replaceAll(',', '')) : null;
}
