/**
 * Languages of the site, the first being the default (R28). A second one is a line here and content in it: its pages
 * live under `/xx/`, as WordPress' own language plugins lay them out.
 */
export const LOCALES = ['en'] as const;
export const DEFAULT_LOCALE: string = LOCALES[0];

const isLocale = (text: string | undefined): text is string => (LOCALES as readonly string[]).includes(text ?? '');

/** Language of a path: its first segment where that names one of ours. */
export function localeOf(path: string): string {
  const first = path.split('/', 2)[1];
  return isLocale(first) ? first : DEFAULT_LOCALE;
}

/** A language asked for by parameter; an unknown one is read as the default. */
export const localeFrom = (text: string | undefined): string => (isLocale(text) ? text : DEFAULT_LOCALE);
