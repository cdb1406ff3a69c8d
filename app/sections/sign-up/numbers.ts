/** Digits, in groups of three or not, with a decimal point. */
const PLAIN = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;

/**
 * The number somebody wrote.
 * @param format Gravity Forms' `decimal_comma` turns comma and point around.
 * @returns `null` where it is none.
 */
export function numberIn(text: string, format = ''): number | null {
  const turned = format === 'decimal_comma' ? text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ',')) : text;
  return PLAIN.test(turned.trim()) && /\d/.test(turned) ? Number(turned.replaceAll(',', '')) : null;
}
