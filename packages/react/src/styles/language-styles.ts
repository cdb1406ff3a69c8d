import arabic from './arabic.css?url';
import compounds from './compounds.css?url';
import rightToLeft from './rtl.css?url';

/**
 * Sheets for pages in some languages, as addresses. Only the server's documents name them, so this module is an entry of the
 * browser's build too: that is what writes the files there.
 */
export const RIGHT_TO_LEFT = rightToLeft;
export const ARABIC_LETTERS = arabic;
export const COMPOUNDS = compounds;
