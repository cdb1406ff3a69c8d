import type { Form } from '@pillion/forms/form.ts';
import { createThread } from '@pillion/lib/ask-thread.ts';
import { ownBuffers } from '@pillion/lib/own-buffers.ts';
import { rememberText } from '../pages/excerpt.ts';
import { headOf, pageOf } from '../pages/page.ts';
import type { PageHead } from '../pages/page-head.ts';
import type { Redirects } from '../pages/redirects.ts';
import { canonical, findRoute, type Route, routesOf, segmentsOf } from '../pages/routes.ts';
import type { Palette } from '../palette.ts';
import type { Fallback } from '../sources/fallback.ts';
import { addressesOf, type Reader } from '../sources/source.ts';
import type { Look } from '../theme.ts';
import type { Page, Picture, Problem } from '../types.ts';
import type { Budget } from '../wordpress/budget.ts';
import { DECLARED } from '../wordpress/declared.ts';
import { fallbacksOf, languageOf, ONE_LANGUAGE, within } from '../wordpress/languages.ts';
import type { Warn } from '../wordpress/result.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { picturesOf } from './problems/pictures.ts';
import { problemsOf } from './problems/problems.ts';
import type { Samples } from './problems/samples.ts';
import type { DraftFault, DraftToRead, ReadDraft } from './read-draft.ts';

export interface ShowOptions {
  /** Reads only the addresses of WordPress. */
  read: Reader;
  /** Address at which WordPress is called. */
  home: string;
  onMedia: (path: string) => void;
  held: Fallback;
  isKnownTemplate: (name: string) => boolean;
  paletteOf: (look: Look | undefined) => Palette;
  form: (id: number, lang: string, left: Budget) => Promise<Form | null>;
  samples: Samples;
  warn: Warn;
}

/** A draft as visitors would see it. */
export interface ShownDraft {
  page: Page;
  head: PageHead;
  blocks: (number | null)[];
  /** Problems of the draft. Separate, since reading pictures takes time and typing editors should not wait. */
  problems: () => Promise<Problem[]>;
}

/** Longest time to read one draft, in milliseconds. */
const READ_WITHIN_MS = 10_000;

/** In MB. The largest accepted draft takes less; a malicious one ends only the thread. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 6 };

const askThread = createThread<DraftToRead, ReadDraft | DraftFault>(new URL('./draft-thread.ts', import.meta.url), {
  resourceLimits: RESOURCE_LIMITS,
  withinMs: READ_WITHIN_MS,
  workerData: { declared: DECLARED },
});

/** Reads a draft in the worker thread. @returns `unreadable` also if the thread runs out of memory or time. */
const readInThread = (asked: DraftToRead, warn: Warn): Promise<ReadDraft | DraftFault> =>
  askThread(asked, asked.source instanceof Uint8Array ? ownBuffers([asked.source]) : []).catch(
    (error: NodeJS.ErrnoException): DraftFault => {
      // Does not log the draft's content.
      warn('preview.thread-ended', { error: error.code ?? error.name });
      return 'unreadable';
    },
  );

/** Keeps a draft out of search engines. It gets no share picture, which would be public. */
const unlisted = (page: Page): Page => ({
  ...page,
  meta: { ...page.meta, noindex: true, robots: 'noindex, nofollow', image: null },
});

const silent = () => {};

/**
 * Blocks of the shown sections.
 * @param count Number of shown sections, including those that the site adds at the start and end.
 */
function blocksOf({ blocks, leftOut }: ReadDraft, count: number): (number | null)[] {
  const gone = new Set(leftOut.flatMap(({ section, item, film }) => (item === null && !film ? [section] : [])));
  const kept = blocks.filter((_, section) => !gone.has(section));
  return count === kept.length ? kept : [null, ...kept, null].slice(0, count);
}

const underWords = ({ sections }: Page): Picture[] =>
  sections.flatMap((section) =>
    picturesOf(section).flatMap(({ picture, place }) => (place === 'behind' ? [picture] : [])),
  );

/** @param routes `null`: unknown; then every path counts as existing. */
function isPath(path: string, routes: Route[] | null, redirects: Redirects): boolean {
  if (routes === null || findRoute(routes, path) !== null) return true;
  const segments = segmentsOf(path);
  const redirect = segments && redirects.get(canonical(segments));
  return redirect != null && redirect.status !== 410;
}

/** Creates a function that returns whether a path leads to a page in any language, or to its replacement. */
async function createLeads(route: Route, redirects: Redirects, held: Fallback, left: Budget) {
  const languages = (await held.languages(left)) ?? ONE_LANGUAGE;
  const lists = await Promise.all(languages.map(({ tag }) => held.routes(tag, left)));
  const all = lists.every((list) => list !== null) ? [...lists.flat(), route] : null;
  return (path: string): boolean => {
    const language = languageOf(languages, path);
    const places = [path, ...fallbacksOf(languages, language).map(({ home }) => home + within(language, path))];
    return places.some((place) => isPath(place, all, redirects));
  };
}

/**
 * Makes a page of a draft with the same validation and cleaning as for visitors. Stores nothing.
 * @param langOf Returns the language tag of a path.
 */
export async function showDraft(
  { source, isSaved }: Pick<DraftToRead, 'source' | 'isSaved'>,
  langOf: (path: string) => string,
  left: Budget,
  { read, home, onMedia, held, isKnownTemplate, paletteOf, form, samples, warn }: ShowOptions,
): Promise<ShownDraft | DraftFault> {
  const site = await read({ name: 'site' }, { budget: left });
  const addresses = addressesOf(home, site.ok ? site.data : null) ?? { addresses: [home], folders: [] };
  const draft = await readInThread({ source, isSaved, addresses }, warn);
  if (typeof draft === 'string') return draft;
  for (const path of draft.media) onMedia(path);
  rememberText(draft.content, draft.text);
  const lang = langOf(draft.route.path);
  const [strings, routes, redirects] = await Promise.all([
    held.strings(lang, left),
    held.routes(lang, left),
    held.redirects(lang, left),
  ]);
  const [route] = routesOf(
    [draft.route],
    lang,
    createRewriter(addresses.addresses, onMedia, addresses.folders),
    silent,
  );
  if (!route) return 'unreadable';
  const page = await pageOf({
    ...{ route, content: draft.content, strings, routes: routes ?? [], lang, isKnownTemplate, warn: silent },
    form: (id) => form(id || strings.form.form_id, lang, left),
  });
  const blocks = blocksOf(draft, page.sections.length);
  return {
    page: unlisted(page),
    head: headOf(route, draft.content),
    blocks,
    problems: async () =>
      problemsOf({
        ...{ page, blocks, leftOut: draft.leftOut, written: draft, palette: paletteOf(strings.look) },
        samples: await samples.of(underWords(page)),
        leads: await createLeads(route, redirects, held, left),
      }),
  };
}
