import type { Warn } from './result.ts';
import { canonical, segmentsOf } from './routes.ts';
import { redirectSchema } from './schemas.ts';

/** Where an editor leads visitors of a path that no page has any more, or that it is gone (410). */
export type Redirect =
  | {
      status: 301 | 302;
      /** Path of this site in its own form, with query and hash where the editor gave some. */
      to: string;
    }
  | { status: 410 };

/** By canonical path. */
export type Redirects = ReadonlyMap<string, Redirect>;

export const NO_REDIRECTS: Redirects = new Map();

/** Answers read in all: as many thousand redirects. */
export const MOST_ANSWERS = 50;

/** Redirects that are followed one after another, before it is called a loop. */
const MOST_HOPS = 50;

/**
 * One form for every spelling, letters composed, so that `u` with two dots over it is `ü`.
 * @returns `null` for what can be no path.
 */
export function pathKey(path: string): string | null {
  const segments = segmentsOf(path);
  return segments && canonical(segments.map((segment) => segment.normalize('NFC')));
}

/** @returns A path of this site, or `null`: nothing may lead to another host, and no header be broken open. */
function targetOf(to: string): string | null {
  if (!to.startsWith('/') || /^\/[/\\]|[\\\s\p{Cc}]/u.test(to)) return null;
  const [path = '', rest = ''] = splitAt(to, /[?#]/);
  const segments = segmentsOf(path);
  if (segments === null) return null;
  const address = canonical(segments);
  // A file has no slash at its end; a page's own form always does.
  return (path.endsWith('/') || address === '/' ? address : address.slice(0, -1)) + inAscii(rest);
}

function splitAt(text: string, mark: RegExp): [string, string] {
  const at = text.search(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** Only ASCII may travel in a header. */
const inAscii = (text: string) => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** One answer's redirects. The first of two from one path counts; what cannot be read is left out. */
export function redirectsOf(items: unknown[], warn: Warn): Redirects {
  const redirects = new Map<string, Redirect>();
  for (const [index, item] of items.entries()) {
    const read = redirectSchema.safeParse(item);
    const from = read.success ? pathKey(read.data.from) : null;
    const to = read.success && read.data.status !== 410 ? targetOf(read.data.to) : '';
    if (!read.success || from === null || from === '/' || to === null) {
      warn('content.redirect-dropped', { redirect: index });
      continue;
    }
    if (redirects.has(from)) continue;
    redirects.set(from, read.data.status === 410 ? { status: 410 } : { status: read.data.status, to });
  }
  return redirects;
}

/** Puts the answers together, and remembers what it made of the same ones. */
export function createJoin() {
  let joined: { parts: Redirects[]; whole: Redirects } = { parts: [], whole: NO_REDIRECTS };
  return (parts: Redirects[]): Redirects => {
    const isSame = parts.length === joined.parts.length && parts.every((part, i) => part === joined.parts[i]);
    if (!isSame) {
      const whole = new Map<string, Redirect>();
      for (const part of parts) for (const [from, redirect] of part) if (!whole.has(from)) whole.set(from, redirect);
      joined = { parts, whole };
    }
    return joined.whole;
  };
}

export type Followed =
  | { kind: 'moved'; status: 301 | 302; to: string }
  | { kind: 'gone' }
  /** Only data that nobody checked leads in circles: the editor's screen refuses it. */
  | { kind: 'loop'; paths: string[] };

/**
 * Goes from one redirect to the next until a page stands there or nothing leads on, so that a visitor is sent once.
 * @param pageAt The page's own address where one stands at that path: it comes before any redirect.
 * @returns `null` where nothing leads on from `path`.
 */
export function follow(redirects: Redirects, path: string, pageAt: (path: string) => string | null): Followed | null {
  const seen: string[] = [];
  let status: 301 | 302 = 301;
  let to: string | null = null;
  for (let at = pathKey(path); at !== null; ) {
    const redirect = redirects.get(at);
    if (!redirect) break;
    if (redirect.status === 410) return { kind: 'gone' };
    if (seen.includes(at) || seen.length >= MOST_HOPS) return { kind: 'loop', paths: [...seen, at] };
    seen.push(at);
    // For good only where every step of the way is.
    if (redirect.status === 302) status = 302;
    to = redirect.to;
    const [next, rest] = splitAt(to, /[?#]/);
    const page = pageAt(next);
    if (page !== null) return { kind: 'moved', status, to: page + rest };
    at = pathKey(next);
  }
  return to === null ? null : { kind: 'moved', status, to };
}
