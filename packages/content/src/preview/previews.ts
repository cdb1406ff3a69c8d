import type { Form } from '@pillion/forms/form.ts';
import { createLimit, QueueFull } from '@pillion/lib/limit.ts';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { withTimeout } from '@pillion/lib/timeout.ts';
import { cacheText } from '../pages/excerpt.ts';
import { headOf, pageOf } from '../pages/page.ts';
import type { PageHead } from '../pages/page-head.ts';
import { followRedirects, type Redirects } from '../pages/redirects.ts';
import { findRoute, type Route, routesOf } from '../pages/routes.ts';
import type { Palette } from '../palette.ts';
import type { Fallback } from '../sources/fallback.ts';
import { addressesOf, type Reader } from '../sources/source.ts';
import type { Look } from '../theme.ts';
import type { Page, Picture, Problem } from '../types.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import type { AnyResponse, Client } from '../wordpress/client.ts';
import { DECLARED } from '../wordpress/declared.ts';
import { PREFIXES } from '../wordpress/endpoints.ts';
import {
  fallbacksOf,
  type Languages,
  languageNamed,
  languageOf,
  ONE_LANGUAGE,
  pathWithin,
} from '../wordpress/languages.ts';
import type { Result, Warn } from '../wordpress/result.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { createThread } from './ask-thread.ts';
import { type DraftFault, type DraftToRead, previewSchema, type ReadDraft, type WirePreview } from './draft.ts';
import { picturesOf } from './problems/pictures.ts';
import { problemsOf } from './problems/problems.ts';
import type { PictureSampler } from './problems/samples.ts';

/** Why there is no draft. */
export type NoDraft =
  /** Refused by WordPress: token expired, of another page or withdrawn, or the user lacks the right. */
  | 'expired'
  | 'wrong'
  | 'withdrawn'
  /** A token of the editor's own preview that was opened before: it opens once. */
  | 'used'
  | 'rights'
  /** The post does not exist. */
  | 'gone'
  /** WordPress failed to render the draft. */
  | 'broken'
  /** Too many concurrent requests. */
  | 'busy'
  /** No response in time, or an invalid one. */
  | 'silent';

/** A draft as visitors would see it. */
export interface ShownDraft {
  page: Page;
  head: PageHead;
  blocks: (number | null)[];
  /** Problems of the draft. Separate, since reading pictures takes time and typing editors should not wait. */
  problems: () => Promise<Problem[]>;
}

/** Drafts, requested every time and never stored in memory, on disk or in the log. */
export interface Previews {
  /**
   * Requests a draft from WordPress, which checks the token for the user and their rights.
   * @param post Id of the post. @param token Signed by WordPress; the caller has verified the signature.
   */
  ask: (post: number, token: string) => Promise<WirePreview | NoDraft>;
  /**
   * Reports to WordPress that a token is opened. A link may be opened several times, an editor's own token once.
   * @returns `null` if it may be opened.
   */
  open: (post: number, token: string) => Promise<NoDraft | null>;
  /** Makes the page of a draft from `ask`. */
  show: (draft: WirePreview) => Promise<ShownDraft | DraftFault>;
  /** Makes the page of unsaved content. @param body The request body, `{"draft": …}`; it cannot be used afterwards. */
  showTyped: (body: Uint8Array) => Promise<ShownDraft | DraftFault>;
  /**
   * A form that a draft uses and no page shows yet. Reads the draft from WordPress.
   * @returns `null` if the draft is refused or does not use the form.
   */
  form: (post: number, token: string, id: number) => Promise<Form | null>;
}

interface Options {
  client: Client;
  /** Longest wait for WordPress, in milliseconds. */
  budgetMs: number;
  /** Returns the tag of a path's language. */
  langOf: (path: string) => string;
  /** Reads only the addresses of WordPress. */
  read: Reader;
  /** Address at which WordPress is called. */
  home: string;
  onMedia: (path: string) => void;
  sources: Fallback;
  paletteOf: (look: Look | undefined) => Palette;
  form: (id: number, lang: string, budget: Budget) => Promise<Form | null>;
  pictures: PictureSampler;
  warn: Warn;
}

/** Limits of concurrent and waiting calls. An editor looks at one page at a time. */
const CONCURRENCY = 4;
const MAX_QUEUE_SIZE = 16;

/** Largest response of WordPress, in bytes. A page of 500 blocks takes 1 MB. */
const MAX_BYTES = 8_000_000;

/** By WordPress' code of the error. */
const REFUSALS = new Map<unknown, NoDraft>(
  Object.entries({
    pillion_preview_expired: 'expired',
    pillion_preview_wrong: 'wrong',
    pillion_preview_withdrawn: 'withdrawn',
    pillion_preview_used: 'used',
    pillion_preview_rights: 'rights',
    pillion_preview_gone: 'gone',
    pillion_preview_failed: 'broken',
  } as const),
);

function refusalOf({ data }: AnyResponse): NoDraft {
  const code = (data as { code?: unknown } | null | undefined)?.code;
  return REFUSALS.get(code) ?? 'silent';
}

export function createPreviews(options: Options): Previews {
  const { client, budgetMs } = options;
  const limit = createLimit(CONCURRENCY, [{ concurrency: CONCURRENCY, queueSize: MAX_QUEUE_SIZE }]);

  /** The time in the queue counts too. @throws {Error} If the time is up or the queue is full. */
  function callWordpress(address: string): Promise<Result<AnyResponse>> {
    return withTimeout(budgetMs, (signal) =>
      limit.run(() => client.fetchAny(address, { signal, timeoutMs: budgetMs, maxBytes: MAX_BYTES }), signal),
    );
  }

  /** @returns WordPress' response, not validated, or why it is missing. */
  async function fetchPreview(post: number, query: Record<string, string>): Promise<{ data: unknown } | NoDraft> {
    const parameters = new URLSearchParams({ ...query, lang: options.langOf('/') });
    try {
      const response = await callWordpress(`${PREFIXES.previews}/${post}?${parameters}`);
      if (!response.ok) return 'silent';
      return response.data.status === 200 ? { data: response.data.data } : refusalOf(response.data);
    } catch (error) {
      return error instanceof QueueFull ? 'busy' : 'silent';
    }
  }

  async function ask(post: number, token: string): Promise<WirePreview | NoDraft> {
    const response = await fetchPreview(post, { token });
    if (typeof response === 'string') return response;
    return previewSchema.safeParse(response.data).data ?? 'silent';
  }

  const show = (draft: WirePreview) => showDraft({ source: { draft }, isSaved: true }, options);

  return {
    ask,
    show,
    async open(post, token) {
      const response = await fetchPreview(post, { token, opening: '1' });
      return typeof response === 'string' ? response : null;
    },
    showTyped: (source) => showDraft({ source, isSaved: false }, options),
    async form(post, token, id) {
      const draft = await ask(post, token);
      const shown = typeof draft === 'string' ? draft : await show(draft);
      if (typeof shown === 'string') return null;
      const forms = shown.page.sections.flatMap((section) => (section.type === 'sign-up' ? [section.form] : []));
      return forms.find((form) => form?.id === id) ?? null;
    },
  };
}

/** Longest time to read one draft, in milliseconds. */
const READ_TIMEOUT_MS = 10_000;

/** In MB. The largest accepted draft takes less; a malicious one ends only the thread. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 6 };

const sendToDraftThread = createThread<DraftToRead, ReadDraft | DraftFault>(
  new URL('./draft-thread.ts', import.meta.url),
  {
    resourceLimits: RESOURCE_LIMITS,
    timeoutMs: READ_TIMEOUT_MS,
    workerData: { declared: DECLARED },
  },
);

/**
 * Reads a draft in the worker thread. A large source is moved to the thread, not copied.
 * @returns `unreadable` also if the thread runs out of memory or time.
 */
const readDraftInThread = (draft: DraftToRead, warn: Warn): Promise<ReadDraft | DraftFault> =>
  sendToDraftThread(draft, draft.source instanceof Uint8Array ? ownBuffers([draft.source]) : []).catch(
    (error: NodeJS.ErrnoException): DraftFault => {
      // Does not log the draft's content.
      warn('preview.thread-ended', { error: error.code ?? error.name });
      return 'unreadable';
    },
  );

/** Keeps a draft out of search engines. It gets no share picture, which would be public. */
const withoutIndexing = (page: Page): Page => ({
  ...page,
  meta: { ...page.meta, noindex: true, robots: 'noindex, nofollow', image: null },
});

/** The editor gets a draft's warnings as problems. */
const ignoreWarning = () => {};

/**
 * Blocks of the shown sections.
 * @param count Number of shown sections, including the hero and the sign-up that the site adds to some pages.
 */
function blocksOf({ blocks, leftOut }: ReadDraft, count: number): (number | null)[] {
  const leftOutSections = new Set(
    leftOut.flatMap(({ section, item, film }) => (item === null && !film ? [section] : [])),
  );
  const shownBlocks = blocks.filter((_, section) => !leftOutSections.has(section));
  return count === shownBlocks.length ? shownBlocks : [null, ...shownBlocks, null];
}

const picturesBehindText = ({ sections }: Page): Picture[] =>
  sections.flatMap((section) =>
    picturesOf(section).flatMap(({ picture, place }) => (place === 'behind' ? [picture] : [])),
  );

/** Whether a path has a page or a redirect that a visitor can follow. */
function leadsToPage(path: string, routes: Route[], redirects: Redirects): boolean {
  const pageAt = (address: string) => findRoute(routes, address)?.path ?? null;
  return pageAt(path) !== null || followRedirects(redirects, path, pageAt)?.kind === 'moved';
}

/**
 * Creates a function that returns whether a path leads to a page in any language, or to its replacement.
 * @param route The draft's, which may be unpublished.
 */
async function createPathCheck(
  route: Route,
  {
    redirects,
    languages,
    sources,
    budget,
  }: { redirects: Redirects; languages: Languages; sources: Fallback; budget: Budget },
) {
  const lists = await Promise.all(languages.map(({ tag }) => sources.routes(tag, budget)));
  const routes = lists.every((list) => list !== null) ? [...lists.flat(), route] : null;
  return (path: string): boolean => {
    // Without a list of pages no link is reported.
    if (routes === null) return true;
    const language = languageOf(languages, path);
    // A missing translation is replaced with the page of a fallback language.
    const candidates = [path, ...fallbacksOf(languages, language).map(({ home }) => home + pathWithin(language, path))];
    return candidates.some((candidate) => leadsToPage(candidate, routes, redirects));
  };
}

/** Makes a page of a draft with the same validation and cleaning as for visitors. Stores nothing. */
async function showDraft(
  { source, isSaved }: Pick<DraftToRead, 'source' | 'isSaved'>,
  { budgetMs, langOf, read, home, onMedia, sources, paletteOf, form, pictures, warn }: Options,
): Promise<ShownDraft | DraftFault> {
  const budget = createBudget(budgetMs);
  const site = await read({ name: 'site' }, { budget });
  const addresses = addressesOf(home, site.ok ? site.data : null) ?? { addresses: [home], folders: [] };
  const draft = await readDraftInThread({ source, isSaved, addresses }, warn);
  if (typeof draft === 'string') return draft;
  for (const path of draft.media) onMedia(path);
  cacheText(draft.content, draft.text);
  const lang = langOf(draft.route.path);
  const [strings, routes, redirects] = await Promise.all([
    sources.strings(lang, budget),
    sources.routes(lang, budget),
    sources.redirects(lang, budget),
  ]);
  const [route] = routesOf(
    [draft.route],
    lang,
    createRewriter(addresses.addresses, onMedia, addresses.folders),
    ignoreWarning,
  );
  if (!route) return 'unreadable';
  const page = await pageOf({
    ...{ route, content: draft.content, strings, routes: routes ?? [], lang, warn: ignoreWarning },
    form: (id) => form(id || strings.form.form_id, lang, budget),
  });
  const blocks = blocksOf(draft, page.sections.length);
  return {
    page: withoutIndexing(page),
    head: headOf(route, draft.content),
    blocks,
    problems: async () => {
      const languages = (await sources.languages(budget)) ?? ONE_LANGUAGE;
      return problemsOf({
        ...{ page, blocks, leftOut: draft.leftOut, written: draft, palette: paletteOf(strings.look) },
        dir: languageNamed(languages, lang).dir,
        samples: await pictures.sample(picturesBehindText(page)),
        pathExists: await createPathCheck(route, { redirects, languages, sources, budget }),
      });
    },
  };
}
