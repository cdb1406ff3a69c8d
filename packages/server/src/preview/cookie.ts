import { cookiesIn } from '@pillion/lib/consent.ts';
import type { Token, TokenFault, Tokens } from './tokens.ts';

/** Browsers accept `__Secure-` only over https (RFC 6265bis). */
const nameOf = (isSecure: boolean) => `${isSecure ? '__Secure-' : ''}pillion-preview`;

/**
 * Paths that get the cookie: previews, and the sign-up endpoint, since a draft may have a form that is on no page yet.
 * Pages, their data and media never get it, so that no cache can mix them with a preview.
 */
const PATHS = ['/preview', '/api/sign-ups'];

const written = (value: string, maxAge: number, isSecure: boolean): [string, string][] =>
  PATHS.map((path) => [
    'set-cookie',
    `${nameOf(isSecure)}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  ]);

/** @returns Headers that store an opened token in the browser until it expires. */
export const setCookie = (tokens: Tokens, token: Token, isSecure: boolean) =>
  written(tokens.opened(token), tokens.secondsLeft(token), isSecure);

/** @returns Headers that delete the cookie. */
export const clearCookie = (isSecure: boolean) => written('', 0, isSecure);

/** @returns The first valid token of the cookies, or the reason why they are refused; `null` without a cookie. */
export function openedIn(request: Request, tokens: Tokens, isSecure: boolean): Token | TokenFault | null {
  const own = cookiesIn(request.headers.get('cookie') ?? '').filter(([name]) => name === nameOf(isSecure));
  const read = own.map(([, value]) => tokens.readOpened(value));
  return read.find((one) => typeof one !== 'string') ?? read.find((one) => one === 'expired') ?? read[0] ?? null;
}
