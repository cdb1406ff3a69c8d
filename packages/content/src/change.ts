import { valueWithin } from '@pillion/lib/timeout.ts';
import { z } from 'zod';
import type { Media } from './cache/media.ts';
import { createDuePages } from './due.ts';
import type { Fallback } from './sources/fallback.ts';
import type { WordpressConnection } from './sources/wordpress.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';
import type { Endpoint } from './wordpress/endpoints.ts';
import { FIRST_REQUESTED, type Languages } from './wordpress/languages.ts';

/** One change in WordPress. */
export interface Change {
  /** `menu`, `strings`, `form`, `redirects`, `media` or a post type. Any other type may have changed all content. */
  type: string;
  id: number | string | null;
  /** Path on the site. */
  path: string | null;
  /** `publish`, or the status that removed it from the site. */
  status: string | null;
}

/** A change that may affect all content. */
export const ANYTHING: Change = { type: 'anything', id: null, path: null, status: null };

const changeSchema = z.object({
  id: z.union([z.number(), z.string()]).nullable().default(null),
  type: z.string().max(100).catch(ANYTHING.type),
  path: z.string().startsWith('/').max(2_000).nullable().catch(null),
  status: z.string().nullable().catch(null),
});

/**
 * Reads a change that WordPress sent.
 * @returns `null` if it is invalid.
 */
export const changeFrom = (sent: unknown): Change | null => changeSchema.safeParse(sent).data ?? null;

/** Longest wait for WordPress after a change, in milliseconds. Editors wait for it; pages do not. */
export const REFRESH_BUDGET_MS = 6000;

/** Content whose request began before a change is requested again, up to this many times. */
const REFRESH_ROUNDS = 4;

interface Parts {
  sources: Fallback;
  files: Media;
  languages: (budget: Budget) => Promise<Languages>;
}

/** Handles changes: those that WordPress reports, those that are due and those that this server missed. */
export function followChanges(wordpress: WordpressConnection | null, parts: Parts) {
  const mediaListeners: (() => void)[] = [];
  const publishedListeners: (() => void)[] = [];
  const notify = (listeners: (() => void)[]) => {
    for (const listener of listeners) listener();
  };
  let changeCount = 0;
  const refresher = wordpress && createRefresher(wordpress, parts, () => notify(mediaListeners));
  const due =
    wordpress &&
    createDuePages({
      client: wordpress.client,
      onPublished() {
        void refreshNow(ANYTHING);
        notify(publishedListeners);
      },
    });

  async function refreshNow(change: Change): Promise<boolean> {
    if (!refresher) return false;
    changeCount += 1;
    return refresher.refresh(change).finally(() => {
      changeCount += 1;
    });
  }

  return {
    begin: () => due?.begin(),
    async refresh(change: Change): Promise<boolean> {
      // A scheduled page changes only the time of the next request to publish.
      if (change.status === 'future') due?.publishDue();
      return refreshNow(change);
    },
    missed(change: Change, sentAt: number): void {
      changeCount += 1;
      refresher?.missed(change, sentAt);
      if (change.status === 'future') due?.publishDue();
    },
    changeCount: () => changeCount,
    onMediaChanged: (listener: () => void) => void mediaListeners.push(listener),
    onPublished: (listener: () => void) => void publishedListeners.push(listener),
    close: () => due?.close(),
  };
}

/** @param onMediaChanged Called when a file was replaced or deleted in WordPress. */
function createRefresher(
  { source, isCurrent, invalidate }: WordpressConnection,
  { sources, files, languages }: Parts,
  onMediaChanged: () => void,
) {
  /**
   * Reads the content of every page and the changed content. @returns Whether WordPress has responded to all of it
   * since the change.
   */
  async function rereadContent(change: Change, budget: Budget): Promise<boolean> {
    const all = await languages(budget);
    const endpoints = all.map(async ({ tag: lang }): Promise<Endpoint[]> => {
      const [routes] = await Promise.all([
        sources.routes(lang, budget),
        sources.menus(lang, budget),
        sources.strings(lang, budget),
        sources.redirects(lang, budget),
      ]);
      const shared: Endpoint[] = [
        { name: 'routes', lang },
        { name: 'menus', lang },
        { name: 'strings', lang },
      ];
      // An older plugin has no redirects, so only a change of redirects waits for them.
      if (change.type === 'redirects') shared.push({ name: 'redirects', lang, page: 1 });
      const route = routes?.find(({ id, path }) => path === change.path || String(id) === String(change.id));
      if (change.type === 'form') return [...shared, ...(await readForm(change, lang, budget))];
      if (!route || SHARED_TYPES.has(change.type)) return shared;
      await sources.page({ source, route }, lang, budget);
      return [...shared, { name: 'page', lang, restBase: route.restBase, id: route.id }];
    });
    // The list of languages comes with the texts of `FIRST_REQUESTED`, which may not be in it.
    const languageList: Endpoint = { name: 'strings', lang: FIRST_REQUESTED };
    return [languageList, ...(await Promise.all(endpoints)).flat()].every(isCurrent);
  }

  /** @returns Whether WordPress has responded in time for the file and its sizes. */
  async function revalidateMedia(path: string, budget: Budget): Promise<boolean> {
    const result = await valueWithin(budget.remainingMs(), files.revalidate(path));
    if (result?.isChanged) onMediaChanged();
    return result?.isAnswered ?? false;
  }

  /** Reads a changed form. A deleted one cannot be read and needs no wait. */
  async function readForm({ id, status }: Change, lang: string, budget: Budget): Promise<Endpoint[]> {
    if (id === null || status === 'delete' || status === 'trash') return [];
    await sources.form(Number(id), lang, budget);
    return [{ name: 'form', lang, id: Number(id) }];
  }

  /** Reads everything that depends on the change again. @returns Whether everything was read. */
  async function refresh(change: Change): Promise<boolean> {
    invalidate(affectedTags(change));
    if (change.type === ANYTHING.type) void files.expireAll(Date.now());
    const budget = createBudget(REFRESH_BUDGET_MS);
    if (change.type === 'media' && change.path !== null && !(await revalidateMedia(change.path, budget))) return false;
    for (let round = 0; round < REFRESH_ROUNDS; round += 1) if (await rereadContent(change, budget)) return true;
    return false;
  }

  /**
   * Makes content stale that was requested before a missed change; its next use reads it again.
   * @param sentAt When WordPress sent the change, in epoch milliseconds.
   */
  function missed(change: Change, sentAt: number): void {
    invalidate(affectedTags(change), sentAt);
    if (change.type === ANYTHING.type) void files.expireAll(sentAt);
    // Checks the file now: its copy on disk does not show that it is outdated.
    if (change.type === 'media' && change.path !== null)
      void revalidateMedia(change.path, createBudget(REFRESH_BUDGET_MS));
  }

  return { refresh, missed };
}

/** Types of changes whose id is not a page's. */
const SHARED_TYPES = new Set(['menu', 'strings', 'redirects']);

/** @returns Tags of the content that a change affects; `null` for all content. */
function affectedTags({ type, id }: Change): string[] | null {
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
      // Menus show a page's title and path. A page that was moved or deleted leaves a redirect.
      return id === null ? null : [`page:${id}`, 'routes', 'menus', 'redirects'];
    default:
      return null;
  }
}
