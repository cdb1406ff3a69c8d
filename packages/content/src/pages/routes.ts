import { titleText } from '../text/plain-text.ts';
import type { Theme } from '../types.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import { readRoute } from '../wordpress/schemas.ts';
import { themeOf } from './page-content.ts';
import { canonicalOf } from './seo-plugin.ts';

/** A page that exists (R29). */
export interface Route {
  id: number;
  type: string;
  /** Where core's REST API holds this type: `pages`, `posts`. */
  restBase: string;
  /** Canonical, percent-encoded as an address: `/ferry-log/first-crossing/`. */
  path: string;
  title: string;
  /** Template name, blank for a plain page. */
  template: string;
  theme: Theme | null;
  isFront: boolean;
  /** WordPress' time of the last change. It is only compared, never read as a time. */
  modified: string;
  /** The editor wants no search engine to list it. */
  noindex: boolean;
  /** Canonical address where this page is a copy of another: a path, or an address elsewhere; `null` for its own. */
  canonical: string | null;
  /** The number that a page and its translations share; `null` where the site has one language. */
  group: number | null;
}

/**
 * Reads a path into its segments, decoded, without empty ones.
 * @returns `null` where it cannot be the path of a page: broken encoding, an encoded slash, dots.
 */
export function segmentsOf(path: string): string[] | null {
  try {
    const parts = path.split('/').filter(Boolean);
    const segments = path.includes('%') ? parts.map(decodeURIComponent) : parts;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    return segments.some((segment) => /[/\\\x00-\x1f]/.test(segment) || /^\.{1,2}$/.test(segment)) ? null : segments;
  } catch {
    return null;
  }
}

export const canonical = (segments: string[]) =>
  segments.length === 0 ? '/' : `/${segments.map(encodedSegment).join('/')}/`;

/** Nearly all are: encoding ten thousand paths is half of the work of reading them. */
const encodedSegment = (segment: string) => (/^[\w.~-]+$/.test(segment) ? segment : encodeURIComponent(segment));

/** The front page of a language lies under its tag; that of the default, and of a WordPress that says nothing of languages, does not. */
const frontPath = (segments: string[], lang: string) =>
  segments.length === 1 && segments[0] === lang.toLowerCase() ? canonical(segments) : '/';

function routeOf(value: unknown, index: number, lang: string, rewriter: Rewriter, warn: Warn): Route | null {
  const read = readRoute(value);
  const segments = read.success ? segmentsOf(read.data.path) : null;
  if (!read.success || segments === null) {
    warn('content.route-dropped', { route: index, field: read.error?.issues[0]?.path.join('.') ?? 'path' });
    return null;
  }
  const wire = read.data;
  return {
    id: wire.id,
    type: wire.type,
    restBase: wire.rest_base,
    path: wire.is_front ? frontPath(segments, lang) : canonical(segments),
    title: titleText(wire.title),
    template: wire.template,
    theme: themeOf(wire.theme),
    isFront: wire.is_front,
    modified: wire.modified,
    noindex: wire.noindex,
    canonical: canonicalOf(wire.canonical, rewriter),
    group: wire.group ?? null,
  };
}

/** As in WordPress a page comes before any other type; a front page before all. */
const rankOf = ({ isFront, type }: Route) => (isFront ? 2 : 0) + (type === 'page' ? 1 : 0);

/**
 * @param lang Language of all of them.
 * @returns One route per path: of two with the same rank the first.
 */
export function routesOf(items: unknown[], lang: string, rewriter: Rewriter, warn: Warn): Route[] {
  const shown = new Map<string, Route>();
  for (const [index, item] of items.entries()) {
    const route = routeOf(item, index, lang, rewriter, warn);
    const other = route && shown.get(route.path);
    if (route && (!other || rankOf(route) > rankOf(other))) shown.set(route.path, route);
  }
  return [...shown.values()];
}

const byPath = new WeakMap<Route[], Map<string, Route>>();

/** An index by path, made once per response: there may be ten thousand routes. */
function indexOf(routes: Route[]): Map<string, Route> {
  const known = byPath.get(routes);
  if (known) return known;
  const index = new Map(routes.map((route) => [route.path, route]));
  byPath.set(routes, index);
  return index;
}

/** @returns The route at a path, in any spelling of it; `null` where there is none. */
export function findRoute(routes: Route[], path: string): Route | null {
  const segments = segmentsOf(path);
  return segments && (indexOf(routes).get(canonical(segments)) ?? null);
}

const byGroup = new WeakMap<Route[], Map<string, Route>>();

/** A page translates a page, a post translates a post. */
const groupKey = ({ type, group }: Route) => `${type} ${group}`;

/** @returns The translation of `route` among the routes of another language; `null` where there is none. */
export function translationOf(route: Route, routes: Route[]): Route | null {
  if (route.group === null) return null;
  let index = byGroup.get(routes);
  if (!index) {
    index = new Map(routes.toReversed().flatMap((each) => (each.group === null ? [] : [[groupKey(each), each]])));
    byGroup.set(routes, index);
  }
  return index.get(groupKey(route)) ?? null;
}

/**
 * The canonical address of a page: a path of a page that exists here, or an address elsewhere.
 * @param named What the editor chose; `null` for the page itself. With plain permalinks an SEO plugin names paths that do
 * not exist here: they count as the page itself.
 */
export function canonicalFor(routes: Route[], route: Route, named: string | null): string {
  if (named === null || !named.startsWith('/')) return named ?? route.path;
  return findRoute(routes, named)?.path ?? route.path;
}

/** The pages above a route, from the top, without the front page; those that do not exist are left out. */
export function routesAbove(routes: Route[], { path }: Route): Route[] {
  const segments = path.split('/').filter(Boolean);
  return segments.slice(0, -1).flatMap((_, i) => {
    const above = indexOf(routes).get(`/${segments.slice(0, i + 1).join('/')}/`);
    return above && !above.isFront ? above : [];
  });
}
