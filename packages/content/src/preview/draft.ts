import { z } from 'zod';
import type { PreviewState } from '../types.ts';
import { routeSchema, text } from '../wordpress/schemas.ts';

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
export const draftSchema = z.object({
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

export type Draft = z.output<typeof draftSchema>;
export type WirePreview = z.output<typeof previewSchema>;

/** What the bar says of it. Titles travel as markup; here they are plain text. */
export const stateOf = ({ state }: WirePreview, plain: (html: string) => string): PreviewState => ({
  ...state,
  title: plain(state.title),
  date: state.date ?? null,
});
