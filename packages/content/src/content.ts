import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Form } from '@pillion/forms/form.ts';
import type { Log } from '@pillion/lib/log.ts';
import { mediaName } from '@pillion/lib/media-types.ts';
import { LRUCache } from 'lru-cache';
import { Media } from './cache/media.ts';
import { type Change, followChanges, REFRESH_BUDGET_MS } from './change.ts';
import { currentForm } from './forms/current-form.ts';
import type { ContentMetrics } from './metrics.ts';
import { createNamedForms, isFormId, type NamedForm } from './named-forms.ts';
import { firstPicture } from './pages/page.ts';
import type { Route } from './pages/routes.ts';
import type { Card } from './pages/share-card.ts';
import { NEUTRAL_PALETTE, type Palette } from './palette.ts';
import { createPreviews, type Previews } from './preview/previews.ts';
import { createPictureSampler, type PictureSampler } from './preview/problems/samples.ts';
import { createResolver, type Resolved } from './resolve.ts';
import { createSearch } from './search.ts';
import { createShownForms, type ShownForms } from './shown-forms.ts';
import { createBundle, isBundleOf } from './sources/bundle.ts';
import { createFallback, type Fallback } from './sources/fallback.ts';
import { createWordpressConnection, type WordpressConnection } from './sources/wordpress.ts';
import type { Look } from './theme.ts';
import type { Link, Picture, SearchAnswer, ShellContent, Strings } from './types.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';
import {
  type Languages,
  languageNamed,
  languageOf,
  ONE_LANGUAGE,
  publicLanguage,
  type SiteLanguage,
} from './wordpress/languages.ts';
import { type Warn, warnOnce } from './wordpress/result.ts';
import { MEDIA_PREFIX } from './wordpress/rewrite.ts';

export type { NamedForm } from './named-forms.ts';
export type { Route } from './pages/routes.ts';
export type { Resolved } from './resolve.ts';

export interface ContentOptions {
  source: 'bundled' | 'wordpress';
  /** Required for 'wordpress'. A visitor waits up to `timeoutMs` for a call; 0: up to the page's budget (R27). */
  wordpress: { url: string; key: string; secret: string; timeoutMs: number } | null;
  /** Folder of the stored responses of WordPress and of fetched media. */
  dataDirectory: string;
  /** Folder of the bundled copy, `content/`. */
  bundleDirectory: string;
  /** The colours with a look, to check contrast in drafts. Default: `NEUTRAL_PALETTE`. */
  paletteOf?: (look: Look | undefined) => Palette;
  log: Log;
  metrics?: ContentMetrics | undefined;
}

/** Content of the site, from WordPress or from the bundled copy. No method throws or rejects. */
export interface Content {
  /** Creates a budget: the time that one response may wait for WordPress, shared by the calls that get it. */
  budget: () => Budget;
  /** The languages of the site, the default first. */
  languages: (budget?: Budget) => Promise<Languages>;
  /** The languages as last read, without a request. */
  knownLanguages: () => Languages;
  languageOf: (path: string) => Promise<string>;
  /** Returns `tag` if the site has this language, else the tag of the default language. */
  languageNamed: (tag: string | undefined) => Promise<string>;
  shell: (lang: string, budget?: Budget) => Promise<ShellContent>;
  /** Waits up to `PAGE_BUDGET_MS`. @param path Pathname as requested, percent-encoded, without a query. */
  resolve: (path: string, lang: string, budget?: Budget) => Promise<Resolved>;
  /** @returns All pages; `null` if no source has a list of pages. */
  routes: (lang: string, budget?: Budget) => Promise<Route[] | null>;
  /**
   * Whether no source has texts or pages: WordPress has never responded, and the bundled copy is missing or belongs to
   * another site. Reads only the cache: call `shell` or `resolve` first.
   */
  isBlank: (lang: string) => Promise<boolean>;
  /** Reads the content that every page needs. If there is nothing to show, the log says what to do. */
  begin: () => Promise<void>;
  /**
   * The picture that a shared link to the page shows.
   * @returns Its address, and `card` to draw it from (`null` if the editor chose a file). `null` if the page does not
   * exist.
   */
  shared: (path: string, lang: string) => Promise<{ picture: Picture; card: Card | null } | null>;
  /** Picture of the front page, used by pages without a picture. */
  picture: (lang: string) => Promise<Picture | null>;
  /** Finds the pages that contain all words of `query` (R31). Waits up to `PAGE_BUDGET_MS`. @param page Starts at 1. */
  search: (query: string, page: number, lang: string, budget?: Budget) => Promise<SearchAnswer>;
  /**
   * The form of `formToSend`. Waits up to `PAGE_BUDGET_MS`.
   * @param id `null` for the site's own form (R18).
   * @returns `null` if no page shows the form or it cannot be read.
   */
  form: (id: number | null, lang: string) => Promise<Form | null>;
  /**
   * A form for a sign-up. If it is unknown whether a page shows the form, a limited number of requests still go to
   * WordPress, so that no sign-up is lost because its page was not read yet.
   * @param id As for `form`.
   */
  formToSend: (id: number | null, lang: string) => Promise<NamedForm>;
  /** A form for reading only. Requested from WordPress only if a page is known to show it. */
  shownForm: (id: number, lang: string) => Promise<NamedForm>;
  /** Previews of drafts; `null` with bundled content. */
  previews: Previews | null;
  /** @param path Pathname under `/media/`. @returns `null` if the file does not exist. */
  media: (path: string, request: Request) => Promise<Response | null>;
  /** Calls `listener` when a file was replaced or deleted in WordPress, so that derived files are made again. */
  onMediaChanged: (listener: () => void) => void;
  /**
   * Reports a change in WordPress. Everything that depends on it is read again before it is shown again.
   * @returns Whether everything was read. If not, the last valid content stays, and the next request reads again.
   */
  refresh: (change: Change) => Promise<boolean>;
  /**
   * Reports a change that this server did not receive in time. Content requested before the change is read again on its
   * next use.
   * @param at When WordPress sent the change, in epoch milliseconds.
   */
  missed: (change: Change, at: number) => void;
  /** Calls `listener` when WordPress has published scheduled content at this server's request. */
  onPublished: (listener: () => void) => void;
  /** Incremented on each stored response and change. If equal, earlier reads are valid until they expire. */
  generation: () => number;
  /** Incremented when a change is reported and when it is live. Output begun before may lack the change. */
  changeCount: () => number;
  /** One digest per kind of content that pages share; it changes with what they show. Sends no request. */
  fingerprints: () => Promise<Record<string, string>>;
  /** Whether the server can show pages. */
  ready: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** Longest wait of one page for WordPress, so that its visitor gets a response within 2 s. */
const PAGE_BUDGET_MS = 1500;

/** Longest wait for the list of languages. Only a first start without stored content waits for it. */
const LANGUAGES_BUDGET_MS = 400;

/**
 * Shortest limit for a preview's wait for WordPress; a larger `CONTENT_TIMEOUT_MS` applies instead. A preview has no
 * cached page to fall back to, so an editor with a slow WordPress must be able to wait.
 */
const PREVIEW_BUDGET_MS = REFRESH_BUDGET_MS;

/** Opens the content of the site, without a request to WordPress. */
export function createContent(options: ContentOptions): Content {
  const { log } = options;
  const warn = warnOnce((event, details) => log('warn', event, details));
  const { onMedia, wordpress, fallback, files } = openSources(options, warn);
  const { languages, lastLanguages, knownLanguages } = createLanguageList(fallback);
  const shownForms = createShownForms(fallback, () => knownLanguages().map(({ tag }) => tag));
  const sources = recordingForms(fallback, shownForms);
  const callMs = options.wordpress?.timeoutMs || PAGE_BUDGET_MS;
  const createPageBudget = (): Budget => ({ ...createBudget(PAGE_BUDGET_MS), callMs });
  const langOf = (path: string) => languageOf(knownLanguages(), path).tag;
  const pictures = createPictureSampler((path, request) => files.serve(path, request));
  const previews = wordpress && openPreviews(options, { wordpress, sources, pictures, warn, onMedia, langOf });
  const changes = followChanges(wordpress, { sources, files, languages });
  changes.onMediaChanged(pictures.clear);
  const search = createSearch({ client: wordpress?.client ?? null, sources, log });
  const forms = createNamedForms(sources, shownForms, createPageBudget);
  const resolver = createResolver({ sources, warn, languages, lastLanguages });

  return {
    budget: createPageBudget,
    languages: (budget) => languages(budget && { ...budget, callMs: LANGUAGES_BUDGET_MS }),
    knownLanguages,
    languageOf: async (path) => languageOf(await languages(), path).tag,
    languageNamed: async (tag) => languageNamed(await languages(), tag).tag,
    shell: async (lang, budget = createPageBudget()) => readShell(sources, lang, languages(budget), budget),
    resolve: (path, lang, budget = createPageBudget()) =>
      resolver.resolve(path, lang, budget).catch((error: unknown) => {
        log('error', 'content.resolve-failed', { path, error });
        return { kind: 'unavailable' };
      }),
    routes: (lang, budget = createPageBudget()) => sources.routes(lang, budget),
    shared: (path, lang) => resolver.sharePicture(path, lang, createPageBudget()).catch(() => null),
    picture(lang) {
      const budget = createPageBudget();
      const picture = languages(budget).then((all) => readSitePicture(sources, languageNamed(all, lang), budget));
      return picture.catch(() => null);
    },
    search: (query, page, lang, budget = createPageBudget()) => search(query, page, lang, budget),
    form: async (id, lang) => (await forms.formToSend(id, lang)).form,
    ...forms,
    media: (path, request) => files.serve(path, request),
    ready: async () => (await sources.routes((await languages())[0].tag, createPageBudget())) !== null,
    isBlank: (lang) => sources.isBlank(lang, createBudget(0)),
    async begin() {
      if (!wordpress) return;
      changes.begin();
      const budget = createBudget(REFRESH_BUDGET_MS);
      const [{ tag }] = await languages(budget);
      await Promise.all([sources.strings(tag, budget), sources.menus(tag, budget)]);
      if (await sources.isBlank(tag, budget)) log('warn', 'content.nothing-to-show', { advice: NO_CONTENT_ADVICE });
    },
    generation: () => wordpress?.generation() ?? 0,
    changeCount: changes.changeCount,
    refresh: changes.refresh,
    missed: changes.missed,
    onMediaChanged: changes.onMediaChanged,
    onPublished: changes.onPublished,
    async fingerprints() {
      const budget = createBudget(0);
      return fingerprintContent(sources, await languages(budget), budget);
    },
    previews,
    async close() {
      changes.close();
      await Promise.all([wordpress?.close(), files.close()]);
    },
  };
}

/** The languages of the site, and the last list that a source has returned. */
function createLanguageList(fallback: Fallback) {
  let last: Languages | null = null;
  return {
    async languages(budget: Budget = createBudget(LANGUAGES_BUDGET_MS)): Promise<Languages> {
      last = (await fallback.languages(budget)) ?? last;
      return last ?? ONE_LANGUAGE;
    },
    /** `null` until a source has returned the list. */
    lastLanguages: () => last,
    knownLanguages: () => last ?? ONE_LANGUAGE,
  };
}

/** The sources, recording which forms the read pages show. */
const recordingForms = (fallback: Fallback, shownForms: ShownForms): Fallback => ({
  ...fallback,
  async page(located, lang, budget) {
    const content = await fallback.page(located, lang, budget);
    if (content) shownForms.recordForms(lang, located.route, content);
    return content;
  },
});

/** Largest number of remembered names of files that content refers to. A forgotten name counts as unknown. */
const MAX_KNOWN_MEDIA = 50_000;

/**
 * Opens WordPress, the bundled copy and their files.
 * @returns `onMedia` makes a file known to the media cache. Previews call it for the files of drafts.
 */
function openSources(options: ContentOptions, warn: Warn) {
  const { bundleDirectory, dataDirectory } = options;
  const knownMedia = new LRUCache<string, true>({ max: MAX_KNOWN_MEDIA });
  const onMedia = (path: string) => {
    const name = mediaName(path.slice(MEDIA_PREFIX.length));
    if (name !== null) knownMedia.set(name, true);
  };
  const wordpress = openWordpress(options, onMedia, warn);
  // With WordPress, a copy of another site, such as the demo, is not used: visitors would take its pages for the brand's.
  const isBundleUsable = options.wordpress === null || !wordpress || isBundleOf(bundleDirectory, options.wordpress.url);
  const fallback = createFallback(
    wordpress?.source ?? null,
    isBundleUsable ? createBundle(bundleDirectory, warn) : null,
    warn,
    (endpoint) => wordpress?.isCurrent(endpoint) ?? false,
  );
  const files = new Media({
    bundleDirectory: isBundleUsable ? join(bundleDirectory, 'media') : null,
    cacheDirectory: join(dataDirectory, 'media'),
    upload: wordpress?.upload ?? null,
    isKnown: (name) => knownMedia.has(name),
    warn,
  });
  return { onMedia, wordpress, fallback, files };
}

/** Picture of the front page, used by pages without a picture. */
async function readSitePicture(
  sources: Fallback,
  { tag, home }: SiteLanguage,
  budget: Budget,
): Promise<Picture | null> {
  const front = await sources.locate(home, tag, budget);
  const content = front && (await sources.page(front, tag, budget));
  return content && (content.metaImage ?? firstPicture(content.sections));
}

async function readShell(sources: Fallback, lang: string, languages: Promise<Languages>, budget: Budget) {
  const [menus, strings, all] = await Promise.all([
    sources.menus(lang, budget),
    sources.strings(lang, budget),
    languages,
  ]);
  const { dir, home } = languageNamed(all, lang);
  return {
    ...{ lang, dir, home, menus },
    languages: all.map(publicLanguage),
    strings: home === '/' ? strings : withHomeLinks(strings, home),
  };
}

/**
 * One digest per kind of shared content, over all languages. From the list of pages it uses only the fields that other
 * pages show: path, title and translation group.
 */
async function fingerprintContent(
  sources: Fallback,
  languages: Languages,
  budget: Budget,
): Promise<Record<string, string>> {
  const contents = await Promise.all(
    languages.map(async ({ tag: lang }) => ({
      routes: (await sources.routes(lang, budget))?.map(({ path, title, group }) => [path, title, group]),
      menus: await sources.menus(lang, budget),
      strings: await sources.strings(lang, budget),
      redirects: [...(await sources.redirects(lang, budget))],
    })),
  );
  const names = ['routes', 'menus', 'strings', 'redirects'] as const;
  return Object.fromEntries(
    names.map((name) => [name, hash('sha256', JSON.stringify(contents.map((content) => content[name])), 'base64url')]),
  );
}

interface PreviewParts {
  wordpress: WordpressConnection;
  sources: Fallback;
  pictures: PictureSampler;
  warn: Warn;
  onMedia: (path: string) => void;
  langOf: (path: string) => string;
}

function openPreviews(options: ContentOptions, { wordpress, sources, ...parts }: PreviewParts): Previews | null {
  if (options.wordpress === null) return null;
  return createPreviews({
    ...parts,
    client: wordpress.client,
    read: wordpress.read,
    home: options.wordpress.url,
    sources,
    paletteOf: options.paletteOf ?? (() => NEUTRAL_PALETTE),
    form: async (id, lang, budget) => currentForm(isFormId(id) ? await sources.form(id, lang, budget) : null),
    budgetMs: Math.max(PREVIEW_BUDGET_MS, options.wordpress.timeoutMs),
  });
}

/** Changes links to `/` in the texts of error pages to the front page of the language. */
function withHomeLinks(strings: Strings, home: string): Strings {
  const withHome = <T extends { link: Link }>(group: T): T =>
    group.link.url === '/' ? { ...group, link: { ...group.link, url: home } } : group;
  const { fourohfour, gone, error } = strings;
  return { ...strings, fourohfour: withHome(fourohfour), gone: withHome(gone), error: withHome(error) };
}

/** Advice in the log if the site starts before WordPress has ever responded. */
const NO_CONTENT_ADVICE =
  'WordPress at CONTENT_URL has not answered yet, and content/ has no copy of its content. Visitors get status 503 until it answers. Check CONTENT_URL, CONTENT_KEY and CONTENT_SECRET. When WordPress answers, run `npx pillion pull` to store copies.';

function openWordpress(
  { source, wordpress, dataDirectory, log, metrics }: ContentOptions,
  onMedia: (path: string) => void,
  warn: Warn,
): WordpressConnection | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpressConnection({
    ...wordpress,
    cacheDirectory: join(dataDirectory, 'content'),
    log,
    onMedia,
    warn,
    metrics,
  });
}
