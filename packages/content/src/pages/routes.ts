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
  /** Name of the type in WordPress' REST API: `pages`, `posts`. */
  restBase: string;
  /** Canonical and percent-encoded: `/ferry-log/first-crossing/`. */
  path: string;
  title: string;
  /** Template name; empty without a template. */
  template: string;
  theme: Theme | null;
  isFront: boolean;
  /** WordPress' time of the last change. It is only compared, never parsed. */
  modified: string;
  /** The editor excludes the page from search engines. */
  noindex: boolean;
  /** Canonical address if this page is a copy: a path, or an address of another site; `null`: itself. */
  canonical: string | null;
  /** Number that a page and its translations share; `null` if the site has one language. */
  group: number | null;
}

/**
 * Splits a path into decoded segments, without empty ones.
 * @returns `null` if it cannot be a page's path: invalid encoding, an encoded slash, dots.
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

export const canonicalPath = (segments: string[]) =>
  segments.length === 0 ? '/' : `/${segments.map(encodeSegment).join('/')}/`;

/** Skips the encoding of plain segments, which is half of the work of reading 10,000 paths. */
const encodeSegment = (segment: string) => (/^[\w.~-]+$/.test(segment) ? segment : encodeURIComponent(segment));

/** A language's front page is under its tag, except for the default language and without languages. */
const frontPath = (segments: string[], lang: string) =>
  segments.length === 1 && segments[0] === lang.toLowerCase() ? canonicalPath(segments) : '/';

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
    path: wire.is_front ? frontPath(segments, lang) : canonicalPath(segments),
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

/** Rank of routes with the same path. As in WordPress, a page comes before other types; a front page before all. */
const rankOf = ({ isFront, type }: Route) => (isFront ? 2 : 0) + (type === 'page' ? 1 : 0);

/**
 * @param lang Language of all routes.
 * @returns One route per path: the one with the highest rank, or the first of several.
 */
export function routesOf(items: unknown[], lang: string, rewriter: Rewriter, warn: Warn): Route[] {
  const byPath = new Map<string, Route>();
  for (const [index, item] of items.entries()) {
    const route = routeOf(item, index, lang, rewriter, warn);
    const other = route && byPath.get(route.path);
    if (route && (!other || rankOf(route) > rankOf(other))) byPath.set(route.path, route);
  }
  return [...byPath.values()];
}

/** Creates an index once per list of routes, since there may be 10,000 routes. */
function createIndex(entriesOf: (routes: Route[]) => [string, Route][]) {
  const indexes = new WeakMap<Route[], Map<string, Route>>();
  return (routes: Route[]): Map<string, Route> => {
    const index = indexes.get(routes) ?? new Map(entriesOf(routes));
    indexes.set(routes, index);
    return index;
  };
}

const routesByPath = createIndex((routes) => routes.map((route) => [route.path, route]));

/** @returns The route at a path in any spelling; `null` if it does not exist. */
export function findRoute(routes: Route[], path: string): Route | null {
  const segments = segmentsOf(path);
  return segments && (routesByPath(routes).get(canonicalPath(segments)) ?? null);
}

/** Only routes of the same type are translations. */
const groupKey = ({ type, group }: Route) => `${type} ${group}`;

// Reversed, so that the first of several routes with the same key is found.
const routesByGroup = createIndex((routes) =>
  routes.toReversed().flatMap((route) => (route.group === null ? [] : [[groupKey(route), route]])),
);

/** @returns The translation of `route` among the routes of another language; `null` if it does not exist. */
export function translationOf(route: Route, routes: Route[]): Route | null {
  return route.group === null ? null : (routesByGroup(routes).get(groupKey(route)) ?? null);
}

/**
 * Returns a page's canonical address: a path of an existing page, or an address of another site.
 * @param chosenAddress Address that the editor chose; `null` for the page itself. With plain permalinks an SEO plugin
 * returns paths that do not exist on the site; they count as the page itself.
 */
export function canonicalFor(routes: Route[], route: Route, chosenAddress: string | null): string {
  if (chosenAddress === null || !chosenAddress.startsWith('/')) return chosenAddress ?? route.path;
  return findRoute(routes, chosenAddress)?.path ?? route.path;
}

/** Returns the existing parent pages of a route, topmost first, without the front page. */
export function routesAbove(routes: Route[], { path }: Route): Route[] {
  const segments = path.split('/').filter(Boolean);
  return segments.slice(0, -1).flatMap((_, i) => {
    const above = routesByPath(routes).get(`/${segments.slice(0, i + 1).join('/')}/`);
    return above && !above.isFront ? above : [];
  });
}
