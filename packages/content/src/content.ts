import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Form } from '@pillion/forms/form.ts';
import type { Log } from '@pillion/lib/log.ts';
import { Media } from './cache/media.ts';
import { ANYTHING, type Change, createRefresher, REFRESH_BUDGET_MS } from './change.ts';
import { createDuePages } from './due.ts';
import { currentForm } from './forms/current-form.ts';
import { createKnownMedia } from './known-media.ts';
import type { ContentMetrics } from './metrics.ts';
import { createNamedForms, isFormId, type NamedForm } from './named-forms.ts';
import { firstPicture } from './pages/page.ts';
import type { Route } from './pages/routes.ts';
import type { Card } from './pages/share-card.ts';
import { NEUTRAL_PALETTE, type Palette } from './palette.ts';
import { createPreviews, type Previews } from './preview/previews.ts';
import { createSamples } from './preview/problems/samples.ts';
import { createResolver, type Resolved } from './resolve.ts';
import { createSearch } from './search.ts';
import { createShownForms } from './shown-forms.ts';
import { createBundle, isBundleOf } from './sources/bundle.ts';
import { createFallback, type Fallback } from './sources/fallback.ts';
import { createWordpress, type Wordpress } from './sources/wordpress.ts';
import type { Link, Picture, SearchAnswer, ShellContent, Strings } from './types.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';
import {
  type Languages,
  languageNamed,
  languageOf,
  ONE_LANGUAGE,
  type SiteLanguage,
  toldOf,
} from './wordpress/languages.ts';
import { type Warn, warnOnce } from './wordpress/result.ts';

export type { NamedForm } from './named-forms.ts';
export type { Route } from './pages/routes.ts';
export type { Resolved } from './resolve.ts';

export interface ContentOptions {
  source: 'bundled' | 'wordpress';
  /** Needed for 'wordpress'. A visitor waits `timeoutMs` for one call, 0 for no limit but the page's own (R27). */
  wordpress: { url: string; key: string; secret: string; timeoutMs: number } | null;
  /** Where last good answers and fetched media are kept. */
  dataDirectory: string;
  /** The bundled copies, `content/`. */
  bundleDirectory: string;
  isKnownTemplate: (name: string) => boolean;
  /** For the check of contrast in drafts. Default: neutral. */
  palette?: Palette;
  log: Log;
  metrics?: ContentMetrics | undefined;
}

/** The content of the site, whichever source it comes from. No call throws or rejects. */
export interface Content {
  /** What one response may wait for WordPress: calls that are handed the same budget share it. A call without one has its own. */
  budget: () => Budget;
  /** The languages of the site, the default first. */
  languages: (left?: Budget) => Promise<Languages>;
  /** As they were last read: asks nothing of anybody. */
  knownLanguages: () => Languages;
  /** Tag of the language that a path is in. */
  languageOf: (path: string) => Promise<string>;
  /** Tag of a language that was asked for by name; an unknown one is read as the default. */
  languageNamed: (tag: string | undefined) => Promise<string>;
  shell: (lang: string, left?: Budget) => Promise<ShellContent>;
  /** @param path Pathname as requested, percent-encoded, without a query. Waits `PAGE_BUDGET_MS` at most. */
  resolve: (path: string, lang: string, left?: Budget) => Promise<Resolved>;
  /** @returns All pages; `null` where no source can say which exist. */
  routes: (lang: string, left?: Budget) => Promise<Route[] | null>;
  /**
   * Whether nothing is known of the site, not even its name: WordPress has never answered, and the bundle is a copy of
   * another site. Reads the cache only: call `shell` or `resolve` first.
   */
  isBlank: (lang: string) => Promise<boolean>;
  /** Reads what every page needs. Where nothing can be shown, the log says what to do. */
  begin: () => Promise<void>;
  /**
   * The picture that links to a page show.
   * @returns Its address, and `card`, which it is drawn from (`null` where the editor chose a file); `null` where there is
   * no such page.
   */
  shared: (path: string, lang: string) => Promise<{ picture: Picture; card: Card | null } | null>;
  /** The front page's picture. It stands for pages that have none. */
  picture: (lang: string) => Promise<Picture | null>;
  /** Pages that have all the words of `query` (R31). @param page From 1. Waits `PAGE_BUDGET_MS` at most. */
  search: (query: string, page: number, lang: string, left?: Budget) => Promise<SearchAnswer>;
  /**
   * A form, as the page shows it. Waits `PAGE_BUDGET_MS` at most.
   * @param id Its number; `null` for the site's own form (R18).
   * @returns `null` where no page shows it or it cannot be read.
   */
  form: (id: number | null, lang: string) => Promise<Form | null>;
  /**
   * A form that a sign-up names. While it is not known whether a page shows the form, WordPress is still asked for a few
   * such forms, so that no sign-up is lost because its page was not read yet.
   */
  formToSend: (id: number | null, lang: string) => Promise<NamedForm>;
  /** A form that somebody only looks at: WordPress is asked for it only where a page is known to show it. */
  shownForm: (id: number, lang: string) => Promise<NamedForm>;
  /** Drafts, for those who may see them; `null` where the content is no WordPress'. */
  previews: Previews | null;
  /** @param path Pathname under `/media/`. @returns `null` where there is no such file. */
  media: (path: string, request: Request) => Promise<Response | null>;
  /** Calls `listener` when a file was replaced or deleted in WordPress. What was made from it has to be made again. */
  onMediaChanged: (listener: () => void) => void;
  /**
   * Tells of a change in WordPress: everything that depends on it is read again before it is shown again.
   * @returns Whether all of it was read. Where not, the last good content stays, and the next visitor's request asks again.
   */
  refresh: (change: Change) => Promise<boolean>;
  /**
   * Tells of a change that was told while this server did not listen. What was asked for before it is asked for again when
   * it is wanted next; nothing is read now.
   * @param at When it was told, in epoch milliseconds.
   */
  missed: (change: Change, at: number) => void;
  /** Calls `listener` when WordPress has published what was due because this server asked it to. */
  onPublished: (listener: () => void) => void;
  /** Grows with every answer that is kept and every change: while it stays, what was read stays good until it ages. */
  generation: () => number;
  /** Grows when a change is told of, and when it is live: what began to be made before may lack it. */
  told: () => number;
  /**
   * What pages share, each with a text that is another once pages would show something else of it. Nothing is asked of
   * WordPress.
   */
  fingerprints: () => Promise<Record<string, string>>;
  /** Whether a page could be shown now. */
  ready: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** A page waits this long for WordPress in all, so that its visitor has an answer within 2 s. */
const PAGE_BUDGET_MS = 1500;

/** Longest wait for the list of languages, which has to be there before a page can be asked for: never but at the first start. */
const LANGUAGES_BUDGET_MS = 400;

/**
 * A preview waits this long for WordPress, or `CONTENT_TIMEOUT_MS` where that is longer: no page is kept that could be shown,
 * and an editor whose WordPress takes three seconds rather waits for them than never sees a draft.
 */
const PREVIEW_BUDGET_MS = REFRESH_BUDGET_MS;

/** Opens the content of the site. It asks WordPress nothing before its first call. */
export function createContent(options: ContentOptions): Content {
  const { isKnownTemplate, log } = options;
  const warn = warnOnce((event, details) => log('warn', event, details));
  const { media, wordpress, fallback, files } = openSources(options, warn);
  /** `null` until a source has first said which there are. */
  let lastLanguages: Languages | null = null;
  const shownForms = createShownForms(fallback, () => (lastLanguages ?? ONE_LANGUAGE).map(({ tag }) => tag));
  const held: Fallback = {
    ...fallback,
    async page(located, lang, left) {
      const content = await fallback.page(located, lang, left);
      if (content) shownForms.note(lang, located.route, content);
      return content;
    },
  };
  const callMs = options.wordpress?.timeoutMs || PAGE_BUDGET_MS;
  const previews =
    wordpress &&
    previewsFor(options, {
      ...{ wordpress, held, files, warn },
      onMedia: media.note,
      langOf: (path) => languageOf(lastLanguages ?? ONE_LANGUAGE, path).tag,
    });
  const changes = followChanges(wordpress, { held, files, languages });
  const budget = (): Budget => ({ ...createBudget(PAGE_BUDGET_MS), callMs });
  const search = createSearch({ client: wordpress?.client ?? null, held, log });
  const forms = createNamedForms(held, shownForms, budget);
  const resolver = createResolver({ held, isKnownTemplate, warn, languages, known: () => lastLanguages });

  async function languages(left: Budget = createBudget(LANGUAGES_BUDGET_MS)): Promise<Languages> {
    lastLanguages = (await held.languages(left)) ?? lastLanguages;
    return lastLanguages ?? ONE_LANGUAGE;
  }

  return {
    budget,
    languages: (left) => languages(left && { ...left, callMs: LANGUAGES_BUDGET_MS }),
    knownLanguages: () => lastLanguages ?? ONE_LANGUAGE,
    languageOf: async (path) => languageOf(await languages(), path).tag,
    languageNamed: async (tag) => languageNamed(await languages(), tag).tag,
    shell: async (lang, left = budget()) => shellOf(held, lang, languages(left), left),
    resolve: (path, lang, left = budget()) =>
      resolver.resolve(path, lang, left).catch((error: unknown) => {
        log('error', 'content.resolve-failed', { path, error });
        return { kind: 'unavailable' };
      }),
    routes: (lang, left = budget()) => held.routes(lang, left),
    shared: (path, lang) => resolver.shared(path, lang, budget()).catch(() => null),
    picture(lang) {
      const left = budget();
      const picture = languages(left).then((all) => pictureOfSite(held, languageNamed(all, lang), left));
      return picture.catch(() => null);
    },
    search: (query, page, lang, left = budget()) => search(query, page, lang, left),
    form: async (id, lang) => (await forms.toSend(id, lang)).form,
    formToSend: forms.toSend,
    shownForm: forms.shown,
    media: (path, request) => files.answer(path, request),
    ready: async () => (await held.routes((await languages())[0].tag, budget())) !== null,
    isBlank: (lang) => held.isBlank(lang, createBudget(0)),
    async begin() {
      if (!wordpress) return;
      changes.begin();
      const left = createBudget(REFRESH_BUDGET_MS);
      const [{ tag }] = await languages(left);
      await Promise.all([held.strings(tag, left), held.menus(tag, left)]);
      if (await held.isBlank(tag, left)) log('warn', 'content.nothing-to-show', { advice: ADVICE });
    },
    generation: () => wordpress?.generation() ?? 0,
    told: changes.told,
    refresh: changes.refresh,
    missed: changes.missed,
    onMediaChanged: changes.onMediaChanged,
    onPublished: changes.onPublished,
    async fingerprints() {
      const left = createBudget(0);
      return fingerprintsOf(held, await languages(left), left);
    },
    previews,
    async close() {
      changes.close();
      await Promise.all([wordpress?.close(), files.close()]);
    },
  };
}

/** WordPress, the bundled copies, and the files of both. */
function openSources(options: ContentOptions, warn: Warn) {
  const { bundleDirectory, dataDirectory } = options;
  const media = createKnownMedia();
  const wordpress = connect(options, media.note, warn);
  // The demo's pages never stand in for a brand's: visitors would take them for the brand's own.
  const isOwnBundle = options.wordpress === null || !wordpress || isBundleOf(bundleDirectory, options.wordpress.url);
  const fallback = createFallback(
    wordpress?.source ?? null,
    isOwnBundle ? createBundle(bundleDirectory, warn) : null,
    warn,
    (endpoint) => wordpress?.isCurrent(endpoint) ?? false,
  );
  const files = new Media({
    bundleDirectory: isOwnBundle ? join(bundleDirectory, 'media') : null,
    cacheDirectory: join(dataDirectory, 'media'),
    upload: wordpress?.upload ?? null,
    isKnown: media.has,
    warn,
  });
  return { media, wordpress, fallback, files };
}

/** What becomes of changes: those that WordPress tells of, those that are due, and those that were missed. */
function followChanges(
  wordpress: Wordpress | null,
  parts: { held: Fallback; files: Media; languages: (left: Budget) => Promise<Languages> },
) {
  const mediaListeners: (() => void)[] = [];
  const publishedListeners: (() => void)[] = [];
  const call = (listeners: (() => void)[]) => {
    for (const listener of listeners) listener();
  };
  let told = 0;
  const refresher = wordpress && createRefresher({ ...parts, wordpress, onMediaChanged: () => call(mediaListeners) });
  const due =
    wordpress &&
    createDuePages({
      client: wordpress.client,
      onPublished() {
        void refreshNow(ANYTHING);
        call(publishedListeners);
      },
    });

  async function refreshNow(change: Change): Promise<boolean> {
    if (!refresher) return false;
    told += 1;
    return refresher.refresh(change).finally(() => {
      told += 1;
    });
  }

  return {
    begin: () => due?.begin(),
    async refresh(change: Change): Promise<boolean> {
      // What is to be published later changes nothing now, but the time to ask at.
      if (change.status === 'future') due?.ask();
      return refreshNow(change);
    },
    missed(change: Change, at: number): void {
      told += 1;
      refresher?.missed(change, at);
      if (change.status === 'future') due?.ask();
    },
    told: () => told,
    onMediaChanged: (listener: () => void) => void mediaListeners.push(listener),
    onPublished: (listener: () => void) => void publishedListeners.push(listener),
    close: () => due?.close(),
  };
}

/** The front page's picture. It stands for pages that have none. */
async function pictureOfSite(held: Fallback, { tag, home }: SiteLanguage, left: Budget): Promise<Picture | null> {
  const front = await held.locate(home, tag, left);
  const content = front && (await held.page(front, tag, left));
  return content && (content.metaImage ?? firstPicture(content.sections));
}

async function shellOf(held: Fallback, lang: string, languages: Promise<Languages>, left: Budget) {
  const [menus, strings, all] = await Promise.all([held.menus(lang, left), held.strings(lang, left), languages]);
  const { dir, home } = languageNamed(all, lang);
  return {
    ...{ lang, dir, home, menus },
    languages: all.map(toldOf),
    strings: home === '/' ? strings : atHome(strings, home),
  };
}

/** Of the list of pages only what others show of a page: its path, its title, and whose translation it is. */
async function fingerprintsOf(held: Fallback, languages: Languages, left: Budget): Promise<Record<string, string>> {
  const all = await Promise.all(
    languages.map(async ({ tag: lang }) => ({
      routes: (await held.routes(lang, left))?.map(({ path, title, group }) => [path, title, group]),
      menus: await held.menus(lang, left),
      strings: await held.strings(lang, left),
      redirects: [...(await held.redirects(lang, left))],
    })),
  );
  const names = ['routes', 'menus', 'strings', 'redirects'] as const;
  return Object.fromEntries(names.map((name) => [name, digest(JSON.stringify(all.map((of) => of[name])))]));
}

interface PreviewParts {
  wordpress: Wordpress;
  held: Fallback;
  files: Media;
  warn: Warn;
  onMedia: (path: string) => void;
  langOf: (path: string) => string;
}

function previewsFor(options: ContentOptions, { wordpress, held, files, ...parts }: PreviewParts): Previews | null {
  if (options.wordpress === null) return null;
  return createPreviews({
    ...parts,
    client: wordpress.client,
    read: wordpress.read,
    home: options.wordpress.url,
    held,
    isKnownTemplate: options.isKnownTemplate,
    palette: options.palette ?? NEUTRAL_PALETTE,
    form: async (id, lang, left) => currentForm(isFormId(id) ? await held.form(id, lang, left) : null),
    samples: createSamples((path, request) => files.answer(path, request)),
    budgetMs: Math.max(PREVIEW_BUDGET_MS, options.wordpress.timeoutMs),
  });
}

/** Links of the site's own pages lead home: to the front page of their language. */
function atHome(strings: Strings, home: string): Strings {
  const own = <T extends { link: Link }>(group: T): T =>
    group.link.url === '/' ? { ...group, link: { ...group.link, url: home } } : group;
  return { ...strings, fourohfour: own(strings.fourohfour), gone: own(strings.gone), error: own(strings.error) };
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** What the log says where the site starts before its WordPress has ever answered. */
const ADVICE =
  'WordPress at CONTENT_URL has never answered, and content/ holds no copy of it: visitors get status 503 until it does. Check CONTENT_URL, CONTENT_KEY and CONTENT_SECRET; npm run content:pull, once it answers, keeps copies for such days.';

function connect(
  { source, wordpress, dataDirectory, log, metrics }: ContentOptions,
  onMedia: (path: string) => void,
  warn: Warn,
): Wordpress | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpress({ ...wordpress, shelfDirectory: join(dataDirectory, 'content'), log, onMedia, warn, metrics });
}
