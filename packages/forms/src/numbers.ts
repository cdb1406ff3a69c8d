import type { FormField } from './form.ts';

/** Digits, optionally in groups of three, with an optional decimal part. */
const PLAIN = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;

type NumberFormat = Partial<Pick<FormField, 'format' | 'currency'>>;

/** Thousands and decimal separators. */
function separatorsOf({ format, currency }: NumberFormat): [string, string] {
  if (currency) return [currency.thousands, currency.decimal];
  return format === 'decimal-comma' ? ['.', ','] : [',', '.'];
}

/**
 * Parses a number that a visitor wrote.
 * @param as The field, or its format. `decimal-comma` swaps comma and point, a currency has its own separators.
 * @returns `null` if the text is not a number.
 */
export function parseNumber(text: string, as: NumberFormat = {}): number | null {
  const [thousands, decimal] = separatorsOf(as);
  const symbols = as.currency ? [as.currency.before, as.currency.after] : [];
  const withoutSymbols = symbols.reduce((rest, symbol) => rest.replace(symbol, ''), text).trim();
  // Any other character makes the text invalid.
  const normalized = withoutSymbols.replace(/[^-\d]/gu, (sign) =>
    sign === decimal ? '.' : sign === thousands ? ',' : '?',
  );
  return PLAIN.test(normalized) && /\d/.test(normalized) ? Number(normalized.replaceAll(',', '')) : null;
}
