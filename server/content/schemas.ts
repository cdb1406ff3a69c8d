import { z } from 'zod';
import { DEFAULT_STRINGS } from './defaults.ts';
import { failure, type Result, success } from './result.ts';

/**
 * Shapes of what WordPress answers, read at the edge. They say what is needed and let the rest pass, so that a plugin
 * that adds a field breaks nothing. Lists stay unread here: their items are judged one by one, later, so that a bad one
 * costs itself and not its neighbours.
 */

/** PHP writes an empty object as `[]`. */
const record = z.preprocess(
  (value) => (Array.isArray(value) && value.length === 0 ? {} : value),
  z.record(z.string(), z.unknown()),
);

/** PHP's options are often numbers in quotes. */
export const wholeNumber = z.union([z.number().int().nonnegative(), z.string().regex(/^\d+$/).transform(Number)]);

const rendered = z.object({ rendered: z.string() });

/** Missing or `null` is empty; anything but a string is an error. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

export const siteSchema = z.object({ home: z.string(), url: z.string() });

/** A site without a single page is a broken answer, not a site: the last good one serves better. */
export const routesSchema = z.array(z.unknown()).min(1);

export const routeSchema = z.object({
  id: wholeNumber,
  type: z.string().min(1),
  /** Becomes part of an address. */
  rest_base: z.string().regex(/^[\w-]+$/),
  slug: text,
  path: z.string().startsWith('/'),
  title: text,
  template: text,
  theme: text,
  is_front: z.boolean().catch(false),
  modified: text,
  noindex: z.boolean().catch(false),
});

/** Redirects, a stretch of them at a time. */
export const redirectsSchema = z.object({
  total: wholeNumber,
  per_page: wholeNumber.refine((count) => count > 0, 'holds nothing'),
  items: z.array(z.unknown()),
});

/** Half a character cannot be written into an address. */
const address = z.string().refine((text) => text.isWellFormed());

export const redirectSchema = z.discriminatedUnion('status', [
  z.object({ from: address, status: z.literal([301, 302]), to: address }),
  z.object({ from: address, status: z.literal(410) }),
]);

/**
 * An object that holds at least one of the members it is read for, or nothing at all. Firewalls and caches in front of
 * a WordPress refuse in JSON too, with status 200: `{ "code": "blocked" }` must not blank every menu.
 */
const recordOf = (isMember: (name: string, value: unknown) => boolean) =>
  record.refine(
    (value) =>
      Object.keys(value).length === 0 || Object.entries(value).some(([name, member]) => isMember(name, member)),
    'holds no member that is known',
  );

const LOCATIONS = ['main_menu', 'social_menu', 'legals_menu'];

/** Locations by name; an empty answer is an empty menu object (R26). */
export const menusSchema = z.preprocess(
  (value) => value ?? {},
  recordOf((name) => LOCATIONS.includes(name)),
);

/** A location holds a menu, a bare list of items, or nothing. */
export const menuSchema = z
  .union([z.object({ items: z.array(z.unknown()) }), z.array(z.unknown()).transform((items) => ({ items })), z.null()])
  .transform((menu) => menu?.items ?? []);

export const menuItemSchema = z.object({
  title: text,
  url: z.string(),
  target: text,
  classes: z
    .union([z.array(z.string()), z.string().transform((value) => value.split(/\s+/))])
    .nullish()
    .transform((value) => value ?? []),
});

/** A text, or a group of them; `null` where the editor left it empty. */
const isString = (name: string, value: unknown) =>
  Object.hasOwn(DEFAULT_STRINGS, name) &&
  (value === null || typeof value === typeof DEFAULT_STRINGS[name as keyof typeof DEFAULT_STRINGS]);

export const stringsSchema = recordOf(isString);

const maybeText = z.string().optional().catch(undefined);

/** Yoast SEO's `yoast_head_json`, as far as it is read (developer.yoast.com, "REST API"). */
const yoastSchema = z.object({
  title: maybeText,
  description: maybeText,
  robots: z.object({ index: z.string().optional() }).optional().catch(undefined),
  canonical: maybeText,
  og_title: maybeText,
  og_description: maybeText,
  schema: z
    .object({ '@graph': z.array(z.record(z.string(), z.unknown())) })
    .optional()
    .catch(undefined),
  og_image: z
    .array(z.object({ url: z.string(), width: wholeNumber.optional(), height: wholeNumber.optional() }))
    .optional()
    .catch(undefined),
});

const pictureFile = z.object({ url: z.string(), width: wholeNumber.catch(0), height: wholeNumber.catch(0) });

/** `null` is no picture; so are the empty values PHP puts in its place, and one that cannot be read. */
export const pictureSchema = pictureFile
  .extend({ alt: text.catch(''), sizes: z.array(pictureFile.nullable().catch(null)).nullish().catch(null) })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const foundSchema = z.object({
  title: text.catch(''),
  description: text.catch(''),
  noindex: z.boolean().catch(false),
  picture: pictureSchema,
});

export const pageSchema = z.object({
  id: wholeNumber,
  status: z.string(),
  title: rendered,
  content: rendered.extend({ protected: z.boolean().optional() }).optional(),
  excerpt: rendered.optional().catch(undefined),
  template: z.string().optional().catch(undefined),
  /** An object, or `[]` when the page has no field. */
  acf: record.catch({}),
  /** Missing where the companion plugin is: then `content` is all there is. */
  sections: z.array(z.unknown()).nullish(),
  /** The featured image; missing where the companion plugin is. */
  picture: pictureSchema,
  yoast_head_json: yoastSchema.nullish().catch(null),
  /** The editor's own words for links and search engines; missing where the companion plugin is. */
  found: foundSchema.nullish().catch(null),
});

/** What `wp/v2/search` finds; what cannot be read of it is left out. */
export const searchSchema = z
  .array(z.object({ id: wholeNumber, subtype: z.string() }).nullable().catch(null))
  .transform((items) => items.filter((item) => item !== null));

export type WirePage = z.output<typeof pageSchema>;

export type WirePicture = NonNullable<z.output<typeof pictureSchema>>;

const facts = z
  .array(z.object({ label: text, value: text }).nullable().catch(null))
  .nullish()
  .transform((items) => (items ?? []).filter((item) => item !== null));

const items = z
  .array(z.unknown())
  .nullish()
  .transform((list) => list ?? []);

const heading = { kicker: text, heading: text, text: text };

/** Sections in raw form, by `type`. The members are those of `app/content/types.ts`. */
export const sectionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hero'), heading: text, picture: pictureSchema, portrait: pictureSchema }),
  z.object({
    type: z.literal('statement'),
    kicker: text,
    heading: text,
    facts,
    picture: pictureSchema,
    drawing: text.catch(''),
  }),
  z.object({ type: z.literal('acts'), heading: text, items }),
  z.object({
    type: z.literal('feature'),
    ...heading,
    figures: facts,
    picture: pictureSchema,
    detail: pictureSchema,
  }),
  z.object({ type: z.literal('gallery'), kicker: text, heading: text, items }),
  z.object({ type: z.literal('quote'), kicker: text, quote: text, source: text, picture: pictureSchema }),
  z.object({ type: z.literal('questions'), kicker: text, heading: text, items }),
  z.object({
    type: z.literal('sign-up'),
    ...heading,
    picture: pictureSchema,
    portrait: pictureSchema,
    form_id: wholeNumber.nullish().transform((id) => id ?? 0),
  }),
  z.object({ type: z.literal('wordmark') }),
  z.object({ type: z.literal('rich-text'), html: text }),
]);

export type WireSection = z.output<typeof sectionSchema>;

export const actSchema = z.object({
  label: text,
  title: text,
  text: text,
  picture: pictureSchema,
  portrait: pictureSchema,
});

export const galleryItemSchema = z.object({ picture: pictureSchema, title: text, text: text });

export const questionSchema = z.object({ question: text, answer: text });

/** Reads a value; an error names the endpoint and the first field that broke the schema. */
export function check<T>(schema: z.ZodType<T>, value: unknown, endpoint: string): Result<T> {
  const read = schema.safeParse(value);
  if (read.success) return success(read.data);
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') || '(the whole answer)';
  return failure('bad response', `${endpoint}: ${field}: ${issue?.message ?? 'not as expected'}`);
}
