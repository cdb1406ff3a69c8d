import { z } from 'zod';
import { readableText } from '../pages/excerpt.ts';
import { type PageContent, pageContentOf } from '../pages/page-content.ts';
import type { LeftOut } from '../pages/sections.ts';
import type { KnownAddresses } from '../sources/source.ts';
import { plainText } from '../text/plain-text.ts';
import type { PreviewState } from '../types.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { pageSchema, routeSchema, text } from '../wordpress/schemas.ts';

/** PHP encodes an empty object as `[]`. */
const emptyAsObject = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/** A path of this site. With a second slash the first segment would be a host. */
const path = z.string().regex(/^\/(?![/\\])/);

/** Longest path of a draft. The main thread's work grows with the square of the number of segments. */
const LONGEST_PATH = 4_000;

const stateSchema = z.object({
  status: z.string().catch(''),
  saved: text.catch(''),
  clock: text.catch(''),
  date: z.string().nullish().catch(null),
  kind: z.enum(['saved', 'autosave', 'unchanged']).catch('saved'),
  title: text.catch(''),
});

/** Origin of wp-admin. It is sent in a header, so it may contain only scheme, host and port. */
const originSchema = z.string().transform((address, context) => {
  const url = URL.parse(address);
  // `https://*` is a valid URL and would allow all hosts.
  if (url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)) return url.origin;
  context.addIssue({ code: 'custom', message: 'is no origin' });
  return z.NEVER;
});

/** A page as it would be published, from WordPress or from the pane. */
const draftSchema = z.object({
  /** The same format as a response of `wp/v2/pages/7`. The schema of published pages checks it. */
  page: z.record(z.string(), z.unknown()),
  /** For each section of the page the index of its top-level block. */
  blocks: z.array(z.number().int().nonnegative().nullable().catch(null)).catch([]),
  route: routeSchema.extend({ path: routeSchema.shape.path.max(LONGEST_PATH) }),
});

/** A draft with its state in WordPress. */
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

/** State for the preview's bar. WordPress sends titles as HTML; the result is plain text. */
export const stateOf = ({ state }: WirePreview, plain: (html: string) => string): PreviewState => ({
  ...state,
  title: plain(state.title),
  date: state.date ?? null,
});

/**
 * Largest unsaved draft: characters of all its sections, and number of values (members and items), which cost more than
 * their characters. Both limit what the main thread has to send.
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

/** Largest number of arrays and objects in a draft. Millions would exhaust the thread's memory. */
const MOST_OPENINGS = 50_000;
const [ARRAY, OBJECT] = ['[', '{'].map((sign) => sign.charCodeAt(0));

function parsed(body: Uint8Array): unknown {
  let openings = 0;
  for (const byte of body) if (byte === ARRAY || byte === OBJECT) openings += 1;
  return openings > MOST_OPENINGS
    ? null
    : JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
}

export interface DraftToRead {
  /** The posted body, `{"draft": …}`, or its parsed content. */
  source: Uint8Array | { draft: unknown };
  addresses: KnownAddresses;
  /** Whether the draft is saved in WordPress. Then its length is not limited, since it may be published as it is. */
  isSaved: boolean;
}

/** A checked and cleaned draft, with the data for its page. */
export interface ReadDraft {
  route: Draft['route'];
  content: PageContent;
  /** Readable text of the page, made here because it takes as long as cleaning. */
  text: string;
  /** Block of each section before unreadable ones are left out. */
  blocks: (number | null)[];
  leftOut: LeftOut[];
  /** The editor's own description. */
  description: string;
  /** Paths under `/media/` that the draft refers to. */
  media: string[];
}

export type DraftFault = 'unreadable' | 'too-long';

const postedSchema = z.object({ draft: draftSchema });

/** The editor gets a draft's warnings as problems. In the log they would expose its content. */
const silent = () => {};

/** Checks and cleans a draft like a published page. Runs in a worker thread: a malicious draft takes half a second. */
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
      // Excludes the excerpt that WordPress cuts from the text: editors cannot shorten it.
      description: plainText(wire.found?.description || wire.yoast_head_json?.description || ''),
    };
  } catch {
    return 'unreadable';
  }
}
