import { cookiesIn } from '@pillion/lib/consent.ts';
import type { Token, TokenFault, Tokens } from './tokens.ts';

/** Browsers accept `__Secure-` only over https (RFC 6265bis). */
const cookieName = (isSecure: boolean) => `${isSecure ? '__Secure-' : ''}pillion-preview`;

/**
 * Paths that get the cookie: previews, and the sign-up endpoint, since a draft may have a form that is on no page yet.
 * Pages, their data and media never get it, so that no cache can mix them with a preview.
 */
const COOKIE_PATHS = ['/preview', '/api/sign-ups'];

const cookieHeaders = (value: string, maxAge: number, isSecure: boolean): [string, string][] =>
  COOKIE_PATHS.map((path) => [
    'set-cookie',
    `${cookieName(isSecure)}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  ]);

/** @returns Headers that store an opened token in the browser until it expires. */
export const setCookie = (tokens: Tokens, token: Token, isSecure: boolean) =>
  cookieHeaders(tokens.sealOpened(token), tokens.secondsLeft(token), isSecure);

/** @returns Headers that delete the cookie. */
export const clearCookie = (isSecure: boolean) => cookieHeaders('', 0, isSecure);

/**
 * Reads the cookies of this name, of which a browser may send several.
 * @returns The first valid token; otherwise `expired` if one has expired, or `wrong`; `null` without a cookie.
 */
export function readCookie(request: Request, tokens: Tokens, isSecure: boolean): Token | TokenFault | null {
  const values = cookiesIn(request.headers.get('cookie') ?? '').filter(([name]) => name === cookieName(isSecure));
  const results = values.map(([, value]) => tokens.readOpened(value));
  const token = results.find((result) => typeof result !== 'string');
  return token ?? results.find((fault) => fault === 'expired') ?? results[0] ?? null;
}
