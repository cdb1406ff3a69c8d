import type { Strings } from '../../content/types.ts';

/** The colophon with `{brand}` and `{number}` filled in from the strings (R18). Any other brace stays as it is. */
export const fillColophon = ({ footer, brand, number }: Pick<Strings, 'footer' | 'brand' | 'number'>): string =>
  footer.colophon
    .replaceAll('{brand}', () => brand)
    .replaceAll('{number}', () => number)
    .trim();
