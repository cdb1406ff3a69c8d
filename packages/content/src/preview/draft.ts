import { z } from 'zod';
import type { PageContent } from '../pages/page-content.ts';
import type { LeftOut } from '../pages/sections.ts';
import type { KnownAddresses } from '../sources/source.ts';
import { plainText } from '../text/plain-text.ts';
import type { PreviewState } from '../types.ts';
import { emptyAsObject, routeSchema, text } from '../wordpress/schemas.ts';

/** A path of this site. With a second slash the first segment would be a host. */
const pathSchema = z.string().regex(/^\/(?![/\\])/);

/** Longest path of a draft. The main thread's work grows with the square of the number of segments. */
const MAX_PATH_LENGTH = 4_000;

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
export const draftSchema = z.object({
  /** The same format as a response of `wp/v2/pages/7`. The schema of published pages checks it. */
  page: z.record(z.string(), z.unknown()),
  /** For each section of the page the index of its top-level block. */
  blocks: z.array(z.number().int().nonnegative().nullable().catch(null)).catch([]),
  route: routeSchema.extend({ path: routeSchema.shape.path.max(MAX_PATH_LENGTH) }),
});

/** A draft with its state in WordPress. */
export const previewSchema = draftSchema.extend({
  state: stateSchema,
  live: pathSchema.nullish().catch(null),
  drafts: z
    .preprocess(emptyAsObject, z.record(pathSchema, z.number().int().positive().catch(0)))
    .catch({})
    .transform((drafts) => Object.fromEntries(Object.entries(drafts).filter(([, post]) => post > 0))),
  editor: originSchema.nullish().catch(null),
});

type Draft = z.output<typeof draftSchema>;
export type WirePreview = z.output<typeof previewSchema>;

/** State for the preview's bar. WordPress sends titles as HTML; the result is plain text. */
export const stateOf = ({ state }: WirePreview): PreviewState => ({
  ...state,
  title: plainText(state.title),
  date: state.date ?? null,
});

/** Largest unsaved draft: characters of all its sections. */
export const MAX_DRAFT_CHARACTERS = 500_000;

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
