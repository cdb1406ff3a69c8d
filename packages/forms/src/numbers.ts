import type { FormField } from './form.ts';

/** Digits, in groups of three or not, with a decimal point. */
const PLAIN = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;

type Written = Partial<Pick<FormField, 'format' | 'currency'>>;

/** Sign between thousands, and before the decimals. */
function signsOf({ format, currency }: Written): [string, string] {
  if (currency) return [currency.thousands, currency.decimal];
  return format === 'decimal_comma' ? ['.', ','] : [',', '.'];
}

/**
 * The number somebody wrote.
 * @param as How Gravity Forms wants it: `decimal_comma` turns comma and point around, a currency has signs of its own.
 * @returns `null` where it is none.
 */
export function numberIn(text: string, as: Written = {}): number | null {
  const [thousands, decimal] = signsOf(as);
  const symbols = as.currency ? [as.currency.before, as.currency.after] : [];
  const bare = symbols.reduce((rest, symbol) => rest.replace(symbol, ''), text).trim();
  // A sign that is neither of the two makes it none.
  const turned = bare.replace(/[^-\d]/gu, (sign) => (sign === decimal ? '.' : sign === thousands ? ',' : '?'));
  return PLAIN.test(turned) && /\d/.test(turned) ? Number(turned.replaceAll(',', '')) : null;
}
