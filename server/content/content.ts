import { join } from 'node:path';
import type { Form, Page, Picture, SearchAnswer, ShellContent } from '../../app/content/types.ts';
import { DEFAULT_LOCALE, LOCALES } from '../locales.ts';
import type { ContentMetrics } from '../metrics/metrics.ts';
import { type Budget, createBudget } from './budget.ts';
import { createBundle } from './bundle.ts';
import { createFallback } from './fallback.ts';
import { createMedia } from './media.ts';
import { firstPicture, pageOf } from './pages.ts';
import { type Warn, warnOnce } from './result.ts';
import type { Route } from './routes.ts';
import { createSearch } from './search.ts';
import { createWordpress, type Wordpress } from './wordpress.ts';

export type { Route } from './routes.ts';

export interface ContentOptions {
  source: 'bundled' | 'wordpress';
  /** Needed for 'wordpress'. `timeoutMs` is the deadline of one call, 0 for none (R27). */
  wordpress: { url: string; key: string; secret: string; timeoutMs: number } | null;
  /** Where last good answers and fetched media are kept. */
  dataDirectory: string;
  /** The bundled copies, `content/`. */
  bundleDirectory: string;
  isKnownTemplate: (name: string) => boolean;
  log: (level: 'info' | 'warn' | 'error', event: string, details?: Record<string, unknown>) => void;
  metrics?: ContentMetrics | undefined;
}

export type Resolved =
  | { kind: 'page'; page: Page }
  | { kind: 'redirect'; status: 301; location: string }
  | { kind: 'missing' }
  /** The route exists, but neither WordPress nor what was kept of it nor the bundle can show it. */
  | { kind: 'unavailable' };

/** What the site shows, whoever holds it. Nothing here throws or rejects. */
export interface Content {
  shell: (lang: string) => Promise<ShellContent>;
  /** @param path Pathname as requested, percent-encoded, without a query. Waits `PAGE_BUDGET_MS` at most. */
  resolve: (path: string, lang: string) => Promise<Resolved>;
  routes: (lang: string) => Promise<Route[]>;
  /** Pages that have all the words of `query` (R31). @param page From 1. Waits `PAGE_BUDGET_MS` at most. */
  search: (query: string, page: number, lang: string) => Promise<SearchAnswer>;
  /** @param id `null`: the site's own form (R18). Waits `PAGE_BUDGET_MS` at most. */
  form: (id: number | null, lang: string) => Promise<Form | null>;
  /** @param path Pathname under `/media/`. `null`: nothing there. */
  media: (path: string, request: Request) => Promise<Response | null>;
  /**
   * Something was changed in WordPress: what depends on it is fetched anew before it is shown again.
   * @param type `menu`, `strings`, `form`, a post type; anything else may have changed everything.
   */
  refresh: (type: string, id: number | string | null) => Promise<void>;
  /** Whether a page could be shown now. */
  ready: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** A page waits this long for WordPress in all, so that its visitor has an answer within 2 s. */
const PAGE_BUDGET_MS = 1500;

/** Opens the content of the site. Asks nothing of anybody until it is asked. */
export function createContent(options: ContentOptions): Content {
  const { bundleDirectory, dataDirectory, isKnownTemplate, log } = options;
  const warn = warnOnce((event, details) => log('warn', event, details));
  const wordpress = connect(options, warn);
  const held = createFallback(wordpress?.source ?? null, createBundle(bundleDirectory, warn), warn);
  const media = createMedia({
    bundleDirectory: join(bundleDirectory, 'media'),
    cacheDirectory: join(dataDirectory, 'media'),
    client: wordpress?.client ?? null,
    warn,
  });
  const budget = () => createBudget(PAGE_BUDGET_MS);
  const search = createSearch({ client: wordpress?.client ?? null, held, log });

  async function resolve(path: string, lang: string): Promise<Resolved> {
    const left = budget();
    const [located, strings] = await Promise.all([held.locate(path, lang, left), held.strings(lang, left)]);
    if (!located) return { kind: 'missing' };
    const { route } = located;
    if (path !== route.path) return { kind: 'redirect', status: 301, location: route.path };
    const [content, sitePicture] = await Promise.all([
      held.page(located, lang, left),
      route.isFront ? null : pictureOfSite(lang, left),
    ]);
    if (!content) return { kind: 'unavailable' };
    if (!content.isPublic) return { kind: 'missing' };
    const form = (id: number) => held.form(id || strings.form.form_id, lang, left);
    return {
      kind: 'page',
      page: await pageOf({ route, content, strings, sitePicture, lang, isKnownTemplate, form, warn }),
    };
  }

  /** The front page's picture, which stands for the site on pages without one. */
  async function pictureOfSite(lang: string, left: Budget): Promise<Picture | null> {
    const front = await held.locate('/', lang, left);
    const content = front && (await held.page(front, lang, left));
    return content && (content.metaImage ?? firstPicture(content.sections));
  }

  return {
    async shell(lang) {
      const left = budget();
      const [menus, strings] = await Promise.all([held.menus(lang, left), held.strings(lang, left)]);
      return { lang, menus, strings };
    },
    resolve: (path, lang) =>
      resolve(path, lang).catch((error: unknown) => {
        log('error', 'content.resolve-failed', { path, error });
        return { kind: 'unavailable' };
      }),
    routes: async (lang) => (await held.routes(lang, budget())) ?? [],
    search: (query, page, lang) => search(query, page, lang, budget()),
    async form(id, lang) {
      // The number may come from a visitor: what can be no form is not asked for.
      if (id !== null && (!Number.isSafeInteger(id) || id < 1)) return null;
      const left = budget();
      return held.form(id ?? (await held.strings(lang, left)).form.form_id, lang, left);
    },
    media: (path, request) => media.answer(path, request),
    ready: async () => (await held.routes(DEFAULT_LOCALE, budget())) !== null,
    async refresh(type, id) {
      wordpress?.invalidate(changedBy(type, id));
      const left = budget();
      await Promise.all(
        LOCALES.flatMap((lang) => [held.routes(lang, left), held.menus(lang, left), held.strings(lang, left)]),
      );
    },
    async close() {
      await Promise.all([wordpress?.close(), media.close()]);
    },
  };
}

/** @returns Tags of what a change touches; `null`: it may be anything. */
function changedBy(type: string, id: number | string | null): string[] | null {
  switch (type) {
    case 'menu':
      return ['menus'];
    case 'strings':
      return ['strings'];
    case 'form':
      return id === null ? null : [`form:${id}`];
    case 'page':
    case 'post':
      // A menu may name the page, and follow its title and path.
      return id === null ? null : [`page:${id}`, 'routes', 'menus'];
    default:
      return null;
  }
}

function connect({ source, wordpress, dataDirectory, log, metrics }: ContentOptions, warn: Warn): Wordpress | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpress({ ...wordpress, shelfDirectory: join(dataDirectory, 'content'), log, warn, metrics });
}
