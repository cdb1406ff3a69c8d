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
import { createPictureSampler } from './preview/problems/samples.ts';
import { createResolver, type Resolved } from './resolve.ts';
import { createSearch } from './search.ts';
import { createShownForms } from './shown-forms.ts';
import { createBundle, isBundleOf } from './sources/bundle.ts';
import { createFallback, type Fallback } from './sources/fallback.ts';
import { createWordpress, type Wordpress } from './sources/wordpress.ts';
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
  languages: (left?: Budget) => Promise<Languages>;
  /** The languages as last read, without a request. */
  knownLanguages: () => Languages;
  languageOf: (path: string) => Promise<string>;
  /** Returns `tag` if the site has this language, else the tag of the default language. */
  languageNamed: (tag: string | undefined) => Promise<string>;
  shell: (lang: string, left?: Budget) => Promise<ShellContent>;
  /** Waits up to `PAGE_BUDGET_MS`. @param path Pathname as requested, percent-encoded, without a query. */
  resolve: (path: string, lang: string, left?: Budget) => Promise<Resolved>;
  /** @returns All pages; `null` if no source has a list of pages. */
  routes: (lang: string, left?: Budget) => Promise<Route[] | null>;
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
  search: (query: string, page: number, lang: string, left?: Budget) => Promise<SearchAnswer>;
  /**
   * A form as the page shows it. Waits up to `PAGE_BUDGET_MS`.
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
  /** `null` until a source has returned the list. */
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
      ...{ wordpress, held, files, warn, onMedia },
      langOf: (path) => languageOf(lastLanguages ?? ONE_LANGUAGE, path).tag,
    });
  const changes = followChanges(wordpress, { held, files, languages });
  const budget = (): Budget => ({ ...createBudget(PAGE_BUDGET_MS), callMs });
  const search = createSearch({ client: wordpress?.client ?? null, held, log });
  const forms = createNamedForms(held, shownForms, budget);
  const resolver = createResolver({ held, warn, languages, known: () => lastLanguages });

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
    form: async (id, lang) => (await forms.formToSend(id, lang)).form,
    ...forms,
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
    changeCount: changes.changeCount,
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

/** Largest number of remembered names of files that content refers to. A forgotten name counts as unknown. */
const MEDIA_KEPT = 50_000;

/** Opens WordPress, the bundled copy and their files. */
function openSources(options: ContentOptions, warn: Warn) {
  const { bundleDirectory, dataDirectory } = options;
  const knownMedia = new LRUCache<string, true>({ max: MEDIA_KEPT });
  const onMedia = (path: string) => {
    const name = mediaName(path.slice(MEDIA_PREFIX.length));
    if (name !== null) knownMedia.set(name, true);
  };
  const wordpress = connect(options, onMedia, warn);
  // A copy of another site, such as the demo, is not used: visitors would take its pages for the brand's.
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
    isKnown: (name) => knownMedia.has(name),
    warn,
  });
  return { onMedia, wordpress, fallback, files };
}

/** Picture of the front page, used by pages without a picture. */
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
    languages: all.map(publicLanguage),
    strings: home === '/' ? strings : atHome(strings, home),
  };
}

/** From the list of pages it uses only the fields that other pages show: path, title and translation group. */
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
    paletteOf: options.paletteOf ?? (() => NEUTRAL_PALETTE),
    form: async (id, lang, left) => currentForm(isFormId(id) ? await held.form(id, lang, left) : null),
    pictures: createPictureSampler((path, request) => files.answer(path, request)),
    budgetMs: Math.max(PREVIEW_BUDGET_MS, options.wordpress.timeoutMs),
  });
}

/** Changes links to `/` in the texts of error pages to the front page of the language. */
function atHome(strings: Strings, home: string): Strings {
  const own = <T extends { link: Link }>(group: T): T =>
    group.link.url === '/' ? { ...group, link: { ...group.link, url: home } } : group;
  return { ...strings, fourohfour: own(strings.fourohfour), gone: own(strings.gone), error: own(strings.error) };
}

const digest = (text: string) => hash('sha256', text, 'base64url');

/** Advice in the log if the site starts before WordPress has ever responded. */
const ADVICE =
  'WordPress at CONTENT_URL has not answered yet, and content/ has no copy of its content. Visitors get status 503 until it answers. Check CONTENT_URL, CONTENT_KEY and CONTENT_SECRET. When WordPress answers, run `npx pillion pull` to store copies.';

function connect(
  { source, wordpress, dataDirectory, log, metrics }: ContentOptions,
  onMedia: (path: string) => void,
  warn: Warn,
): Wordpress | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpress({ ...wordpress, shelfDirectory: join(dataDirectory, 'content'), log, onMedia, warn, metrics });
}
