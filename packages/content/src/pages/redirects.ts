import type { Warn } from '../wordpress/result.ts';
import { redirectSchema } from '../wordpress/schemas.ts';
import { canonicalPath, segmentsOf } from './routes.ts';

/** An editor's redirect of a path without a page: its target, or status 410. */
export type Redirect =
  | {
      status: 301 | 302;
      /** Canonical path of this site, with query and hash if the editor entered them. */
      to: string;
    }
  | { status: 410 };

/** Redirects by canonical path. */
export type Redirects = ReadonlyMap<string, Redirect>;

export const NO_REDIRECTS: Redirects = new Map();

/** Largest number of responses to read; each contains up to 1000 redirects. */
export const MAX_RESPONSES = 50;

/** Longest chain of redirects. A longer one counts as a loop. */
const MAX_HOPS = 50;

/**
 * Returns the canonical form of a path, with letters composed: `u` + diaeresis becomes `ü`.
 * @returns `null` if it cannot be a path.
 */
function pathKey(path: string): string | null {
  const segments = segmentsOf(path);
  return segments && canonicalPath(segments.map((segment) => segment.normalize('NFC')));
}

/** @returns A path of this site that is safe in a header; `null` if it leads to another host or breaks the header. */
function targetOf(to: string): string | null {
  if (!to.startsWith('/') || /^\/[/\\]|[\\\s\p{Cc}]/u.test(to)) return null;
  const [path, rest] = splitPath(to);
  const segments = segmentsOf(path);
  if (segments === null) return null;
  const address = canonicalPath(segments);
  // Files have no slash at the end; pages do.
  return (path.endsWith('/') || address === '/' ? address : address.slice(0, -1)) + toAscii(rest);
}

/** Splits an address into its path, and its query and hash. */
function splitPath(address: string): [path: string, rest: string] {
  const at = address.search(/[?#]/);
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}

/** Headers may contain only ASCII. */
const toAscii = (text: string) => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** Reads the redirects of one response. The first one of a path counts; invalid ones are left out. */
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

/** Merges the redirects of all responses. The result is cached for the same responses. */
export function createRedirectsJoin() {
  let last: { parts: Redirects[]; whole: Redirects } = { parts: [], whole: NO_REDIRECTS };
  return (parts: Redirects[]): Redirects => {
    const isSame = parts.length === last.parts.length && parts.every((part, i) => part === last.parts[i]);
    if (!isSame) {
      const whole = new Map<string, Redirect>();
      for (const part of parts) for (const [from, redirect] of part) if (!whole.has(from)) whole.set(from, redirect);
      last = { parts, whole };
    }
    return last.whole;
  };
}

export type Followed =
  | { kind: 'moved'; status: 301 | 302; to: string }
  | { kind: 'gone' }
  /** A loop. WordPress' screen prevents loops, so other software has created it. */
  | { kind: 'loop'; paths: string[] };

/**
 * Follows redirects until there is a page or no further redirect, so that the visitor is redirected once.
 * @param pageAt Returns the path of the page at a path, if there is one: pages come before redirects.
 * @returns `null` if `path` has no redirect.
 */
export function followRedirects(
  redirects: Redirects,
  path: string,
  pageAt: (path: string) => string | null,
): Followed | null {
  const seen: string[] = [];
  let status: 301 | 302 = 301;
  let to: string | null = null;
  let at = pathKey(path);
  while (at !== null) {
    const redirect = redirects.get(at);
    if (!redirect) break;
    if (redirect.status === 410) return { kind: 'gone' };
    if (seen.includes(at) || seen.length >= MAX_HOPS) return { kind: 'loop', paths: [...seen, at] };
    seen.push(at);
    // 301 only if all redirects of the chain are permanent.
    if (redirect.status === 302) status = 302;
    to = redirect.to;
    const [next, rest] = splitPath(to);
    const page = pageAt(next);
    if (page !== null) return { kind: 'moved', status, to: page + rest };
    at = pathKey(next);
  }
  return to === null ? null : { kind: 'moved', status, to };
}
