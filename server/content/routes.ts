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
  };
}

export const routesOf = (items: unknown[], warn: Warn): Route[] =>
  items.flatMap((item, index) => routeOf(item, index, warn) ?? []);

/** @returns The route a path means, however it spells it, or `null`. */
export function findRoute(routes: Route[], path: string): Route | null {
  const segments = segmentsOf(path);
  if (segments === null) return null;
  const wanted = canonical(segments);
  return routes.find((route) => route.path === wanted) ?? null;
}
