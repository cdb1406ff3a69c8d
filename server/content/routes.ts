import type { Theme } from '../../app/content/types.ts';
import { themeOf } from './page-content.ts';
import { plainText } from './plain-text.ts';
import type { Warn } from './result.ts';
import { routeSchema } from './schemas.ts';

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
  /** Changes whenever the page does; WordPress' own time, to be compared and not read. */
  modified: string;
  /** The editor wants no search engine to list it. */
  noindex: boolean;
}

/**
 * One form for every spelling of a path: decoded segment by segment, without empty ones.
 * @returns The segments, or `null` where the path is no path of a page: broken encoding, a hidden slash, dots.
 */
export function segmentsOf(path: string): string[] | null {
  try {
    const segments = path.split('/').filter(Boolean).map(decodeURIComponent);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    return segments.some((segment) => /[/\\\x00-\x1f]/.test(segment) || /^\.{1,2}$/.test(segment)) ? null : segments;
  } catch {
    return null;
  }
}

export const canonical = (segments: string[]) =>
  segments.length === 0 ? '/' : `/${segments.map(encodeURIComponent).join('/')}/`;

function routeOf(value: unknown, index: number, warn: Warn): Route | null {
  const read = routeSchema.safeParse(value);
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
    path: wire.is_front ? '/' : canonical(segments),
    title: plainText(wire.title),
    template: wire.template,
    theme: themeOf(wire.theme),
    isFront: wire.is_front,
    modified: wire.modified,
    noindex: wire.noindex,
  };
}

export const routesOf = (items: unknown[], warn: Warn): Route[] =>
  items.flatMap((item, index) => routeOf(item, index, warn) ?? []);

const byPath = new WeakMap<Route[], Map<string, Route>>();

/** Made once per answer: ten thousand routes are not read through for each page. Of two at one path the first counts. */
function indexOf(routes: Route[]): Map<string, Route> {
  const known = byPath.get(routes);
  if (known) return known;
  const index = new Map(routes.toReversed().map((route) => [route.path, route]));
  byPath.set(routes, index);
  return index;
}

/** @returns The route a path means, however it spells it, or `null`. */
export function findRoute(routes: Route[], path: string): Route | null {
  const segments = segmentsOf(path);
  return segments && (indexOf(routes).get(canonical(segments)) ?? null);
}

/** The pages a route lies under, from the top: only those that are there, without the front page. */
export function routesAbove(routes: Route[], { path }: Route): Route[] {
  const segments = path.split('/').filter(Boolean);
  return segments.slice(0, -1).flatMap((_, i) => indexOf(routes).get(`/${segments.slice(0, i + 1).join('/')}/`) ?? []);
}
