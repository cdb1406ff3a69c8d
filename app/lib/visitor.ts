/** Who asked the system for less motion: such a visitor gets the page's calm form. */
export const CALM = '(prefers-reduced-motion: reduce)';

/** Asked anew each time: the setting may change under the page. */
export const isCalm = (): boolean => matchMedia(CALM).matches;

/**
 * Whether the visitor asked for less data (Save-Data): nothing is then fetched that she did not ask for. False where the
 * browser does not say (Network Information API).
 */
export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
