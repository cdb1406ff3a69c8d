import { valueWithin } from '@pillion/lib/timeout.ts';
import { z } from 'zod';
import type { Media } from './cache/media.ts';
import type { Fallback } from './sources/fallback.ts';
import type { Wordpress } from './sources/wordpress.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';
import type { Endpoint } from './wordpress/endpoints.ts';
import { FIRST_ASKED, type Languages } from './wordpress/languages.ts';

/** One change in WordPress. */
export interface Change {
  /** `menu`, `strings`, `form`, a post type; anything else may have changed everything. */
  type: string;
  id: number | string | null;
  /** Its path on the site. */
  path: string | null;
  /** `publish`, or the status that took it off the site. */
  status: string | null;
}

/** A change that may have been one of anything. */
export const ANYTHING: Change = { type: 'anything', id: null, path: null, status: null };

const sentSchema = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  type: z.string().max(100).catch(ANYTHING.type),
  path: z.string().startsWith('/').max(2_000).nullish().catch(null),
  status: z.string().nullish().catch(null),
});

/**
 * Reads a change as it was sent. A type nobody here knows may have changed anything.
 * @returns `null` where it is none.
 */
export function changeFrom(sent: unknown): Change | null {
  const read = sentSchema.safeParse(sent);
  if (!read.success) return null;
  const { type, id = null, path = null, status = null } = read.data;
  return { type, id, path, status };
}

/** Longest wait for WordPress after a change, in milliseconds. Only the editor waits for it, no page does. */
export const REFRESH_BUDGET_MS = 6000;

/** Content that was already on its way when a change came is asked for again, this many times at most. */
const REFRESH_ROUNDS = 4;

export interface RefreshOptions {
  held: Fallback;
  wordpress: Wordpress;
  files: Media;
  languages: (left: Budget) => Promise<Languages>;
  /** Called when a file was replaced or deleted in WordPress. */
  onMediaChanged: () => void;
}

/** Takes up what WordPress says has changed. */
export interface Refresher {
  /** Everything that depends on the change is read again before it is shown again. @returns Whether all of it was read. */
  refresh: (change: Change) => Promise<boolean>;
  /**
   * What was asked for before a change that this server did not hear is asked for again when it is wanted next.
   * @param at When the change was told, in epoch milliseconds.
   */
  missed: (change: Change, at: number) => void;
}

export function createRefresher({ held, wordpress, files, languages, onMediaChanged }: RefreshOptions): Refresher {
  const { source, isCurrent, invalidate } = wordpress;

  /** Reads what every page needs and what was changed. @returns Whether WordPress has answered all of it since the change. */
  async function isReadAnew(change: Change, left: Budget): Promise<boolean> {
    const all = await languages(left);
    const read = all.map(async ({ tag: lang }): Promise<Endpoint[]> => {
      const [routes] = await Promise.all([
        held.routes(lang, left),
        held.menus(lang, left),
        held.strings(lang, left),
        held.redirects(lang, left),
      ]);
      const shared: Endpoint[] = [
        { name: 'routes', lang },
        { name: 'menus', lang },
        { name: 'strings', lang },
      ];
      // An older plugin has no redirects. So only a change of redirects waits for them.
      if (change.type === 'redirects') shared.push({ name: 'redirects', lang, page: 1 });
      const route = routes?.find(({ id, path }) => path === change.path || String(id) === String(change.id));
      if (change.type === 'form') return [...shared, ...(await readForm(change, lang, left))];
      if (!route || SHARED_TYPES.has(change.type)) return shared;
      await held.page({ source, route }, lang, left);
      return [...shared, { name: 'page', lang, restBase: route.restBase, id: route.id }];
    });
    // The list itself comes with the texts of a language that need not be one of them.
    const list: Endpoint = { name: 'strings', lang: FIRST_ASKED };
    return [list, ...(await Promise.all(read)).flat()].every(isCurrent);
  }

  /** @returns Whether WordPress has told in time what became of the file and its sizes. */
  async function isMediaAnew(path: string, left: Budget): Promise<boolean> {
    const looked = await valueWithin(left.left(), files.refresh(path));
    if (looked?.isChanged) onMediaChanged();
    return looked?.isAnswered ?? false;
  }

  /** Reads a form that was changed. One that was deleted cannot be read, and nothing has to be waited for. */
  async function readForm({ id, status }: Change, lang: string, left: Budget): Promise<Endpoint[]> {
    if (id === null || status === 'delete' || status === 'trash') return [];
    await held.form(Number(id), lang, left);
    return [{ name: 'form', lang, id: Number(id) }];
  }

  async function refresh(change: Change): Promise<boolean> {
    invalidate(changedBy(change));
    const left = createBudget(REFRESH_BUDGET_MS);
    if (change.type === 'media' && change.path !== null && !(await isMediaAnew(change.path, left))) return false;
    for (let round = 0; round < REFRESH_ROUNDS; round += 1) if (await isReadAnew(change, left)) return true;
    return false;
  }

  function missed(change: Change, at: number): void {
    invalidate(changedBy(change), at);
    // Its file lies on the disk and looks as good as any.
    if (change.type === 'media' && change.path !== null) void isMediaAnew(change.path, createBudget(REFRESH_BUDGET_MS));
  }

  return { refresh, missed };
}

/** Kinds of change whose id is no page's id. */
const SHARED_TYPES = new Set(['menu', 'strings', 'redirects']);

/** @returns Tags of the content that a change touches; `null` where it may be all of it. */
function changedBy({ type, id }: Change): string[] | null {
  switch (type) {
    case 'menu':
      return ['menus'];
    case 'strings':
      return ['strings'];
    case 'redirects':
      return ['redirects'];
    case 'form':
      return id === null ? null : [`form:${id}`];
    case 'page':
    case 'post':
      // Menus show a page's title and path, and a page that moved or was deleted leaves a redirect.
      return id === null ? null : [`page:${id}`, 'routes', 'menus', 'redirects'];
    default:
      return null;
  }
}
