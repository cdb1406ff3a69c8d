import arabic from './arabic.css?url';
import compounds from './compounds.css?url';
import rightToLeft from './rtl.css?url';

/**
 * Addresses of the stylesheets for some languages. Only the server uses them, so this module is a separate entry of the
 * browser's build, which writes the files.
 */
export const RIGHT_TO_LEFT = rightToLeft;
export const ARABIC_LETTERS = arabic;
export const COMPOUNDS = compounds;
