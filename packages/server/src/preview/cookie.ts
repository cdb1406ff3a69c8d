import type { Token, TokenFault, Tokens } from './tokens.ts';

/** With https the browser takes this name from encrypted answers alone (RFC 6265bis, `__Secure-`). */
const nameOf = (isSecure: boolean) => `${isSecure ? '__Secure-' : ''}pillion-preview`;

/**
 * Where the browser shows it: to previews, and to the endpoint of forms, which may then know a form that stands on no page
 * yet. Pages, their data and media never see it, so that no cache can mix them with a preview.
 */
const PATHS = ['/preview', '/api/sign-ups'];

const written = (value: string, maxAge: number, isSecure: boolean): [string, string][] =>
  PATHS.map((path) => [
    'set-cookie',
    `${nameOf(isSecure)}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  ]);

/** @returns Headers that keep an opened token in the browser as long as it shows anything. */
export const setCookie = (tokens: Tokens, token: Token, isSecure: boolean) =>
  written(tokens.opened(token), tokens.secondsLeft(token), isSecure);

/** @returns Headers that take it away. */
export const clearCookie = (isSecure: boolean) => written('', 0, isSecure);

/** @returns The first good token among the cookies; else what is wrong with them; `null`: there is none. */
export function openedIn(request: Request, tokens: Tokens, isSecure: boolean): Token | TokenFault | null {
  const start = `${nameOf(isSecure)}=`;
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.flatMap((pair) => (pair.startsWith(start) ? [pair.slice(start.length)] : []));
  const read = values.map((value) => tokens.readOpened(value));
  return read.find((one) => typeof one !== 'string') ?? read.find((one) => one === 'expired') ?? read[0] ?? null;
}
