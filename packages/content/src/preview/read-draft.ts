import { z } from 'zod';
import { readableText } from '../pages/excerpt.ts';
import { type PageContent, pageContentOf } from '../pages/page-content.ts';
import type { LeftOut } from '../pages/sections.ts';
import type { KnownAddresses } from '../sources/source.ts';
import { plainText } from '../text/plain-text.ts';
import type { PreviewState } from '../types.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { pageSchema, routeSchema, text } from '../wordpress/schemas.ts';

/** PHP writes an empty object as `[]`. */
const emptyAsObject = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/** A path of this site. A second slash would make a host of the first segment. */
const path = z.string().regex(/^\/(?![/\\])/);

/** Longest path of a draft. The work for one grows with the square of its segments, on the thread that answers visitors. */
const LONGEST_PATH = 4_000;

const stateSchema = z.object({
  status: z.string().catch(''),
  saved: text.catch(''),
  clock: text.catch(''),
  date: z.string().nullish().catch(null),
  kind: z.enum(['saved', 'autosave', 'unchanged']).catch('saved'),
  title: text.catch(''),
});

/** Origin of wp-admin. It goes into a header, so nothing but scheme, host and port may be in it. */
const originSchema = z.string().transform((address, context) => {
  const url = URL.parse(address);
  // `https://*` is an address too, and would mean every host.
  if (url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)) return url.origin;
  context.addIssue({ code: 'custom', message: 'is no origin' });
  return z.NEVER;
});

/** A page as it would be published, as WordPress says it and as the pane hands it on. */
const draftSchema = z.object({
  /** As `wp/v2/pages/7` would answer it. What is wrong in it is judged where every page is judged. */
  page: z.record(z.string(), z.unknown()),
  /** For each of the page's sections the top-level block that it comes from. */
  blocks: z.array(z.number().int().nonnegative().nullable().catch(null)).catch([]),
  route: routeSchema.extend({ path: routeSchema.shape.path.max(LONGEST_PATH) }),
});

/** The same with what WordPress says of it. */
export const previewSchema = draftSchema.extend({
  state: stateSchema,
  live: path.nullish().catch(null),
  drafts: z
    .preprocess(emptyAsObject, z.record(path, z.number().int().positive().catch(0)))
    .catch({})
    .transform((drafts) => Object.fromEntries(Object.entries(drafts).filter(([, post]) => post > 0))),
  editor: originSchema.nullish().catch(null),
});

type Draft = z.output<typeof draftSchema>;
export type WirePreview = z.output<typeof previewSchema>;

/** What the bar says of it. Titles travel as markup; here they are plain text. */
export const stateOf = ({ state }: WirePreview, plain: (html: string) => string): PreviewState => ({
  ...state,
  title: plain(state.title),
  date: state.date ?? null,
});

/**
 * Largest draft that somebody is typing: what one text of a page may have, in characters of all sections together. It limits
 * what the main thread has to send on; so do the values (members and items), which cost more than their characters.
 */
export const MOST_CHARACTERS = 500_000;
const MOST_VALUES = 10_000;

function isTooLong(written: unknown): boolean {
  let values = 0;
  const text = JSON.stringify(written, (_, value) => {
    values += 1;
    return value;
  });
  return text.length > MOST_CHARACTERS || values > MOST_VALUES;
}

/** Arrays and objects of a whole draft, with what plugins add. Millions of them would take the thread's memory. */
const MOST_OPENINGS = 50_000;
const [ARRAY, OBJECT] = ['[', '{'].map((sign) => sign.charCodeAt(0));

function parsed(body: Uint8Array): unknown {
  let openings = 0;
  for (const byte of body) if (byte === ARRAY || byte === OBJECT) openings += 1;
  return openings > MOST_OPENINGS
    ? null
    : JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
}

/** A draft to be read. */
export interface DraftToRead {
  /** `{"draft": …}` as it was posted, or what it says. */
  source: Uint8Array | { draft: unknown };
  addresses: KnownAddresses;
  /** Whether WordPress holds it: visitors may get it as it is, however long. */
  isSaved: boolean;
}

/** A draft, checked and clean, with what its page needs. */
export interface ReadDraft {
  route: Draft['route'];
  content: PageContent;
  /** The page as one text: to read it takes as long as to clean it. */
  text: string;
  /** The block of each section as it came. */
  blocks: (number | null)[];
  leftOut: LeftOut[];
  /** The editor's own description. */
  description: string;
  /** Paths under `/media/` that it names. */
  media: string[];
}

export type DraftFault = 'unreadable' | 'too-long';

const postedSchema = z.object({ draft: draftSchema });

/** The warnings of a draft go to its editor as problems. In a log they would be its words. */
const silent = () => {};

/** Checks and cleans a draft as every page. Runs in a separate thread: a hostile one takes half a second. */
export function readDraft({ source, addresses, isSaved }: DraftToRead): ReadDraft | DraftFault {
  try {
    const said = source instanceof Uint8Array ? parsed(source) : source;
    const { page, blocks, route } = postedSchema.parse(said).draft;
    const wire = pageSchema.parse(page);
    if (!isSaved && isTooLong(wire.sections ?? wire.content ?? '')) return 'too-long';
    const media = new Set<string>();
    const leftOut: LeftOut[] = [];
    const rewriter = createRewriter(addresses.addresses, (path) => media.add(path), addresses.folders);
    const content = pageContentOf(wire, route.path, rewriter, silent, (part) => leftOut.push(part));
    const count = wire.sections?.length ?? 1;
    return {
      ...{ route, content, text: readableText(content), leftOut, media: [...media] },
      blocks: Array.from({ length: count }, (_, section) => blocks[section] ?? null),
      // Only their own words: an excerpt that WordPress cut from the text is not theirs to shorten.
      description: plainText(wire.found?.description || wire.yoast_head_json?.description || ''),
    };
  } catch {
    return 'unreadable';
  }
}
