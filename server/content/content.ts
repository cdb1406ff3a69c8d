import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Link, Page, Picture, SearchAnswer, ShellContent, Strings, Translation } from '../../shared/content.ts';
import type { Form } from '../../shared/forms/form.ts';
import { Media } from '../cache/media.ts';
import { noteUntil } from '../cache/reads.ts';
import { mediaName } from '../lib/media-types.ts';
import { valueWithin } from '../lib/timeout.ts';
import { createTokenBucket } from '../lib/token-bucket.ts';
import type { ContentMetrics } from '../metrics/metrics.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import type { Endpoint } from '../wordpress/endpoints.ts';
import {
  FIRST_ASKED,
  fallbacksOf,
  type Languages,
  languageNamed,
  languageOf,
  mayHaveLanguage,
  ONE_LANGUAGE,
  toldOf,
  within,
} from '../wordpress/languages.ts';
import { type Warn, warnOnce } from '../wordpress/result.ts';
import { MEDIA_PREFIX } from '../wordpress/rewrite.ts';
import { ANYTHING, type Change } from './change.ts';
import { createDuePages } from './due.ts';
import { formAt } from './forms/forms.ts';
import { firstPicture, headOf, pageOf, shareOf } from './pages/page.ts';
import type { PageHead } from './pages/page-head.ts';
import { follow } from './pages/redirects.ts';
import { findRoute, type Route, translationOf } from './pages/routes.ts';
import type { Card } from './pages/share-card.ts';
import { createPreviews, type Previews } from './preview/previews.ts';
import { createSamples } from './preview/problems/samples.ts';
import { createSearch } from './search.ts';
import { createShownForms } from './shown-forms.ts';
import { createBundle, isBundleOf } from './sources/bundle.ts';
import { createFallback, type Fallback } from './sources/fallback.ts';
import { createWordpress, type Wordpress } from './sources/wordpress.ts';

export type { Route } from './pages/routes.ts';

export interface ContentOptions {
  source: 'bundled' | 'wordpress';
  /** Needed for 'wordpress'. A visitor waits `timeoutMs` for one call, 0 for no limit but the page's own (R27). */
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
  | { kind: 'page'; page: Page; head: PageHead }
  | { kind: 'redirect'; status: 301 | 302; location: string }
  /** An editor marked the path as gone for good, or deleted its page. */
  | { kind: 'gone' }
  | { kind: 'missing' }
  /** No source can show it now, or say whether it exists. */
  | { kind: 'unavailable' };

/** A form that a visitor named by its number. */
export interface NamedForm {
  /** Whether a page shows the form; `null` where that is not known now. */
  isShown: boolean | null;
  form: Form | null;
}

/** The content of the site, whichever source it comes from. No call throws or rejects. */
export interface Content {
  /** The languages of the site, the default first. */
  languages: () => Promise<Languages>;
  /** As they were last read: asks nothing of anybody. */
  knownLanguages: () => Languages;
  /** Tag of the language that a path is in. */
  languageOf: (path: string) => Promise<string>;
  /** Tag of a language that was asked for by name; an unknown one is read as the default. */
  languageNamed: (tag: string | undefined) => Promise<string>;
  shell: (lang: string) => Promise<ShellContent>;
  /** @param path Pathname as requested, percent-encoded, without a query. Waits `PAGE_BUDGET_MS` at most. */
  resolve: (path: string, lang: string) => Promise<Resolved>;
  /** @returns All pages; `null` where no source can say which exist. */
  routes: (lang: string) => Promise<Route[] | null>;
  /**
   * Whether nothing is known of the site, not even its name: WordPress has never answered, and the bundle is a copy of
   * another site.
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
  search: (query: string, page: number, lang: string) => Promise<SearchAnswer>;
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

/** Longest wait for WordPress after a change. Only the editor waits for it, no page does. */
const REFRESH_BUDGET_MS = 6000;

/**
 * A preview waits this long for WordPress, or `CONTENT_TIMEOUT_MS` where that is longer: no page is kept that could be shown,
 * and an editor whose WordPress takes three seconds rather waits for them than never sees a draft.
 */
const PREVIEW_BUDGET_MS = REFRESH_BUDGET_MS;

/**
 * Visitors can name any form number. While it is not known whether a page shows a form, WordPress is asked for so many
 * different numbers a second, and so many at once after a quiet time. However many visitors send one form, it is one number.
 */
const UNKNOWN_FORMS_PER_SECOND = 4;
const UNKNOWN_FORMS_AT_ONCE = 8;
/** A number that was let through stays so for these milliseconds; so many numbers are remembered. */
const UNKNOWN_FORMS_MS = 5_000;
const UNKNOWN_FORMS_KEPT = 100;

/** Content that was already on its way when a change came is asked for again, this many times at most. */
const REFRESH_ROUNDS = 4;

/** Opens the content of the site. It asks WordPress nothing before its first call. */
export function createContent(options: ContentOptions): Content {
  const { bundleDirectory, dataDirectory, isKnownTemplate, log } = options;
  const warn = warnOnce((event, details) => log('warn', event, details));
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
  const files = new Media({
    bundleDirectory: isOwnBundle ? join(bundleDirectory, 'media') : null,
    cacheDirectory: join(dataDirectory, 'media'),
    client: wordpress?.client ?? null,
    isKnown: media.has,
    warn,
  });
  const callMs = options.wordpress?.timeoutMs || PAGE_BUDGET_MS;
  const mediaListeners: (() => void)[] = [];
  let told = 0;
  const previews =
    options.wordpress && wordpress
      ? createPreviews({
          client: wordpress.client,
          read: wordpress.read,
          home: options.wordpress.url,
          onMedia: media.note,
          held,
          isKnownTemplate,
          langOf: (path) => languageOf(lastLanguages ?? ONE_LANGUAGE, path).tag,
          form: async (id, lang, left) => current(isFormId(id) ? await held.form(id, lang, left) : null),
          samples: createSamples((path, request) => files.answer(path, request)),
          budgetMs: Math.max(PREVIEW_BUDGET_MS, options.wordpress.timeoutMs),
        })
      : null;
  const publishedListeners: (() => void)[] = [];
  const onPublished = () => {
    void refresh(ANYTHING);
    for (const listener of publishedListeners) listener();
  };
  const due = wordpress && createDuePages({ client: wordpress.client, onPublished });
  const budget = (): Budget => ({ ...createBudget(PAGE_BUDGET_MS), callMs });
  const search = createSearch({ client: wordpress?.client ?? null, held, log });

  async function languages(left: Budget = createBudget(LANGUAGES_BUDGET_MS)): Promise<Languages> {
    lastLanguages = (await held.languages(left)) ?? lastLanguages;
    return lastLanguages ?? ONE_LANGUAGE;
  }

  async function resolve(path: string, lang: string): Promise<Resolved> {
    const left = budget();
    const [located, strings, routes, all] = await Promise.all([
      held.locate(path, lang, left),
      held.strings(lang, left),
      held.routes(lang, left),
      languages(left),
    ]);
    if (!located && routes === null) return { kind: 'unavailable' };
    if (!located) {
      const led = await elsewhere(path, lang, left);
      if (led.kind !== 'missing') return led;
      const standIn = await standInAt(path, lang, all, left);
      if (standIn) return standIn;
      // A slow WordPress may not have told of a new page or language yet. 404 is only for paths that are known to lead nowhere.
      const isUnsure = lastLanguages === null && mayHaveLanguage(path);
      return isUnsure || !(await held.lacks(path, lang)) ? { kind: 'unavailable' } : led;
    }
    const { route } = located;
    if (path !== route.path) return { kind: 'redirect', status: 301, location: route.path };
    const content = await held.page(located, lang, left);
    if (!content) return { kind: 'unavailable' };
    if (!content.isPublic) return elsewhere(path, lang, left);
    const form = async (id: number) => current(await held.form(id || strings.form.form_id, lang, left));
    const page = await pageOf({ route, content, strings, routes: routes ?? [], lang, isKnownTemplate, form, warn });
    return { kind: 'page', head: headOf(route, content), page: await translated(page, route, all, left) };
  }

  /** Looks for the page that stands in where its language lacks one (decision 045). */
  async function standInAt(path: string, lang: string, all: Languages, left: Budget): Promise<Resolved | null> {
    const language = languageNamed(all, lang);
    for (const { tag, dir, home } of fallbacksOf(all, language)) {
      const located = await held.locate(home + within(language, path), tag, left);
      if (!located) continue;
      const { route } = located;
      const own = translationOf(route, (await held.routes(lang, left)) ?? []);
      if (own) return { kind: 'redirect', status: 302, location: own.path };
      const here = language.home + route.path.slice(home.length);
      if (path !== here) return { kind: 'redirect', status: 301, location: here };
      const [content, routes, strings] = await Promise.all([
        held.page(located, tag, left),
        held.routes(tag, left),
        held.strings(lang, left),
      ]);
      if (!content?.isPublic) return content ? null : { kind: 'unavailable' };
      const form = async (id: number) => current(await held.form(id || strings.form.form_id, lang, left));
      const page = await pageOf({ route, content, strings, routes: routes ?? [], lang, isKnownTemplate, form, warn });
      const shown = await translated({ ...page, path: here, standIn: { tag, dir } }, route, all, left);
      return { kind: 'page', head: headOf(route, content), page: shown };
    }
    return null;
  }

  /** Says of a page where it stands in every language. */
  async function translated(page: Page, route: Route, all: Languages, left: Budget): Promise<Page> {
    if (all.length < 2) return page;
    const routes = new Map(
      await Promise.all(all.map(async ({ tag }) => [tag, (await held.routes(tag, left)) ?? []] as const)),
    );
    const own = (tag: string) =>
      tag === page.lang && !page.standIn ? route : translationOf(route, routes.get(tag) ?? []);
    const entries = all.map((language): [string, Translation] => {
      const { tag, home } = language;
      if (tag === page.lang) return [tag, { path: page.path, isSame: !page.standIn }];
      const there = own(tag);
      if (there) return [tag, { path: there.path, isSame: isInItsOwnRight(there) }];
      for (const standIn of fallbacksOf(all, language)) {
        const near = own(standIn.tag);
        if (near) return [tag, { path: home + within(standIn, near.path), isSame: false }];
      }
      return [tag, { path: home, isSame: false }];
    });
    return { ...page, translations: Object.fromEntries(entries) };
  }

  /** Looks for an editor's redirect of a path that no page has. */
  async function elsewhere(path: string, lang: string, left: Budget): Promise<Resolved> {
    const redirects = await held.redirects(lang, left);
    const routes = redirects.size > 0 ? ((await held.routes(lang, left)) ?? []) : [];
    // This page is off the site, though its route may still be in the list.
    const asked = findRoute(routes, path);
    const followed = follow(redirects, path, (next) => {
      const route = findRoute(routes, next);
      return route && route !== asked ? route.path : null;
    });
    switch (followed?.kind) {
      case 'moved':
        return { kind: 'redirect', status: followed.status, location: followed.to };
      case 'gone':
        return { kind: 'gone' };
      case 'loop':
        warn('content.redirect-loop', { paths: followed.paths });
    }
    return { kind: 'missing' };
  }

  async function shared(path: string, lang: string) {
    const left = budget();
    const [located, strings, routes] = await Promise.all([
      held.locate(path, lang, left),
      held.strings(lang, left),
      held.routes(lang, left),
    ]);
    const content = located && (await held.page(located, lang, left));
    return located && content?.isPublic
      ? shareOf({ route: located.route, content, strings, routes: routes ?? [] })
      : null;
  }

  const unknownForms = createTokenBucket(UNKNOWN_FORMS_PER_SECOND, UNKNOWN_FORMS_AT_ONCE);
  /** Numbers that were let through. The store asks for each once, however many visitors send it. */
  const letIn = new LRUCache<number, true>({ max: UNKNOWN_FORMS_KEPT, ttl: UNKNOWN_FORMS_MS });

  async function formToSend(id: number | null, lang: string): Promise<NamedForm> {
    const left = budget();
    if (id === null) {
      const own = (await held.strings(lang, left)).form.form_id;
      return { isShown: true, form: current(await held.form(own, lang, left)) };
    }
    const known = isFormId(id) && (await shownForms.isShown(id, 0));
    if (known === false) return { isShown: false, form: null };
    // Nothing has asked WordPress so far: the visitor's whole time is left.
    if (known) return { isShown: true, form: current(await held.form(id, lang, budget())) };
    // First the pages say whether one shows the form. Only where they cannot within half the time, WordPress is asked for it.
    const soon = await shownForms.isShown(id, left.left() / 2);
    if (soon === false) return { isShown: false, form: null };
    if (soon) return { isShown: true, form: current(await held.form(id, lang, left)) };
    const [isShown, form] = await Promise.all([shownForms.isShown(id, left.left()), unknownForm(id, lang, left)]);
    return {
      isShown,
      form: isShown === false ? null : current(form ?? (isShown ? await held.form(id, lang, left) : null)),
    };
  }

  function unknownForm(id: number, lang: string, left: Budget): Promise<Form | null> {
    if (!letIn.has(id) && !unknownForms.take()) return Promise.resolve(null);
    if (!letIn.has(id)) letIn.set(id, true);
    return held.form(id, lang, { ...left, urgency: 'visitor' });
  }

  /** The front page's picture. It stands for pages that have none. */
  async function pictureOfSite(lang: string, left: Budget): Promise<Picture | null> {
    const { home } = languageNamed(await languages(left), lang);
    const front = await held.locate(home, lang, left);
    const content = front && (await held.page(front, lang, left));
    return content && (content.metaImage ?? firstPicture(content.sections));
  }

  /** Reads what every page needs and what was changed. @returns Whether WordPress has answered all of it since the change. */
  async function isReadAnew({ source, isCurrent }: Wordpress, change: Change, left: Budget): Promise<boolean> {
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
    if (looked?.isChanged) for (const listener of mediaListeners) listener();
    return looked?.isAnswered ?? false;
  }

  /** Reads a form that was changed. One that was deleted cannot be read, and nothing has to be waited for. */
  async function readForm({ id, status }: Change, lang: string, left: Budget): Promise<Endpoint[]> {
    if (id === null || status === 'delete' || status === 'trash') return [];
    await held.form(Number(id), lang, left);
    return [{ name: 'form', lang, id: Number(id) }];
  }

  /** Of the list of pages only what others show of a page: its path, its title, and whose translation it is. */
  async function fingerprints(): Promise<Record<string, string>> {
    const left = createBudget(0);
    const all = await Promise.all(
      (await languages(left)).map(async ({ tag: lang }) => ({
        routes: (await held.routes(lang, left))?.map(({ path, title, group }) => [path, title, group]),
        menus: await held.menus(lang, left),
        strings: await held.strings(lang, left),
        redirects: [...(await held.redirects(lang, left))],
      })),
    );
    const names = ['routes', 'menus', 'strings', 'redirects'] as const;
    return Object.fromEntries(names.map((name) => [name, digest(JSON.stringify(all.map((of) => of[name])))]));
  }

  async function refreshFrom(connected: Wordpress, change: Change): Promise<boolean> {
    connected.invalidate(changedBy(change));
    const left = createBudget(REFRESH_BUDGET_MS);
    if (change.type === 'media' && change.path !== null && !(await isMediaAnew(change.path, left))) return false;
    for (let round = 0; round < REFRESH_ROUNDS; round += 1) if (await isReadAnew(connected, change, left)) return true;
    return false;
  }

  async function refresh(change: Change): Promise<boolean> {
    if (!wordpress) return false;
    told += 1;
    return refreshFrom(wordpress, change).finally(() => {
      told += 1;
    });
  }

  return {
    languages: () => languages(),
    knownLanguages: () => lastLanguages ?? ONE_LANGUAGE,
    languageOf: async (path) => languageOf(await languages(), path).tag,
    languageNamed: async (tag) => languageNamed(await languages(), tag).tag,
    async shell(lang) {
      const left = budget();
      const [menus, strings, all] = await Promise.all([
        held.menus(lang, left),
        held.strings(lang, left),
        languages(left),
      ]);
      const { dir, home } = languageNamed(all, lang);
      return {
        lang,
        dir,
        home,
        languages: all.map(toldOf),
        menus,
        strings: home === '/' ? strings : atHome(strings, home),
      };
    },
    resolve: (path, lang) =>
      resolve(path, lang).catch((error: unknown) => {
        log('error', 'content.resolve-failed', { path, error });
        return { kind: 'unavailable' };
      }),
    routes: (lang) => held.routes(lang, budget()),
    shared: (path, lang) => shared(path, lang).catch(() => null),
    picture: (lang) => pictureOfSite(lang, budget()).catch(() => null),
    search: (query, page, lang) => search(query, page, lang, budget()),
    form: async (id, lang) => (await formToSend(id, lang)).form,
    formToSend,
    async shownForm(id, lang) {
      const left = budget();
      const isShown = isFormId(id) && (await shownForms.isShown(id, left.left() / 2));
      return { isShown, form: isShown ? current(await held.form(id, lang, left)) : null };
    },
    media: (path, request) => files.answer(path, request),
    onMediaChanged: (listener) => void mediaListeners.push(listener),
    ready: async () => (await held.routes((await languages())[0].tag, budget())) !== null,
    isBlank: (lang) => held.isBlank(lang, budget()),
    async begin() {
      if (!wordpress) return;
      due?.begin();
      const left = createBudget(REFRESH_BUDGET_MS);
      const [{ tag }] = await languages(left);
      await Promise.all([held.strings(tag, left), held.menus(tag, left)]);
      if (await held.isBlank(tag, left)) log('warn', 'content.nothing-to-show', { advice: ADVICE });
    },
    async refresh(change) {
      // What is to be published later changes nothing now, but the time to ask at.
      if (change.status === 'future') due?.ask();
      return refresh(change);
    },
    missed(change, at) {
      told += 1;
      wordpress?.invalidate(changedBy(change), at);
      if (change.status === 'future') due?.ask();
      // Its file lies on the disk and looks as good as any.
      if (change.type === 'media' && change.path !== null)
        void isMediaAnew(change.path, createBudget(REFRESH_BUDGET_MS));
    },
    onPublished: (listener) => void publishedListeners.push(listener),
    generation: () => wordpress?.generation() ?? 0,
    told: () => told,
    fingerprints,
    previews,
    async close() {
      due?.close();
      await Promise.all([wordpress?.close(), files.close()]);
    },
  };
}

/** A page that is to be found, and no copy of another. */
const isInItsOwnRight = ({ noindex, canonical }: Route) => !noindex && canonical === null;

/** Links of the site's own pages lead home: to the front page of their language. */
function atHome(strings: Strings, home: string): Strings {
  const own = <T extends { link: Link }>(group: T): T =>
    group.link.url === '/' ? { ...group, link: { ...group.link, url: home } } : group;
  return { ...strings, fourohfour: own(strings.fourohfour), gone: own(strings.gone), error: own(strings.error) };
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

const isFormId = (id: number) => Number.isSafeInteger(id) && id > 0;

/** A form as it is now. A page that shows it is good until it opens or closes. */
function current(form: Form | null): Form | null {
  if (!form) return null;
  const now = Date.now();
  const { opens, closes } = form.schedule ?? { opens: null, closes: null };
  if (opens !== null && now < opens) noteUntil(opens);
  // To the very millisecond it is still open (`formAt`).
  else if (closes !== null && now <= closes) noteUntil(closes + 1);
  return formAt(form, now);
}

/** What the log says where the site starts before its WordPress has ever answered. */
const ADVICE =
  'WordPress at CONTENT_URL has never answered, and content/ holds no copy of it: visitors get status 503 until it does. Check CONTENT_URL, CONTENT_KEY and CONTENT_SECRET; npm run content:pull, once it answers, keeps copies for such days.';

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

/** How many names of files are remembered. A name that was forgotten counts as one that a visitor made up. */
const MEDIA_KEPT = 50_000;

/** Remembers the files that content names. */
function createKnownMedia() {
  const names = new LRUCache<string, true>({ max: MEDIA_KEPT });
  return {
    note(path: string) {
      const name = mediaName(path.slice(MEDIA_PREFIX.length));
      if (name !== null) names.set(name, true);
    },
    has: (name: string) => names.has(name),
  };
}

function connect(
  { source, wordpress, dataDirectory, log, metrics }: ContentOptions,
  onMedia: (path: string) => void,
  warn: Warn,
): Wordpress | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpress({ ...wordpress, shelfDirectory: join(dataDirectory, 'content'), log, onMedia, warn, metrics });
}
