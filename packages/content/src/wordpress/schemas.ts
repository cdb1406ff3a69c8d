import { z } from 'zod';
import { DEFAULT_STRINGS } from './default-strings.ts';
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

export const siteSchema = z.object({
  home: z.string(),
  url: z.string(),
  pillion_uploads: z.array(z.string()).optional().catch(undefined),
});

/** Every address of the WordPress that the bundled copies were pulled from. */
export const originMarkSchema = z.object({ addresses: z.array(z.string()) });

/** A site without a single page is a broken answer, not a site: the last good one serves better. */
export const routesSchema = z.array(z.unknown()).refine((routes) => routes.some(isRoute), 'holds not one route');

/** A language of the site. */
export const languageSchema = z.object({
  tag: z.string(),
  name: text.catch(''),
  dir: z.enum(['ltr', 'rtl']).catch('ltr'),
  /** Tag of the language whose pages stand in for missing ones; blank: none does. */
  fallback: text.catch(''),
});

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
  /** The page that this one says it is a copy of; blank: none. */
  canonical: text.catch(''),
  /** The number that a page and its translations share. */
  group: wholeNumber.nullish().catch(null),
});

const isTextOrNone = (value: unknown) => value === undefined || value === null || typeof value === 'string';

/** What `routeSchema` reads, said without it: there may be forty thousand of them, each judged with every reading. */
export function isRoute(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, rest_base, path, slug, title, template, theme, modified } = value as Record<string, unknown>;
  const isNumber =
    typeof id === 'number' ? Number.isSafeInteger(id) && id >= 0 : typeof id === 'string' && /^\d+$/.test(id);
  const isNamed =
    typeof type === 'string' && type !== '' && typeof rest_base === 'string' && /^[\w-]+$/.test(rest_base);
  return (
    isNumber &&
    isNamed &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    [slug, title, template, theme, modified].every(isTextOrNone)
  );
}

/** What a route has as the plugin sends it. With any other member the schema decides. */
const ROUTE_MEMBERS = Object.keys(routeSchema.shape);
const KNOWN_MEMBERS = new Set([...ROUTE_MEMBERS, 'lang']);

const isText = (value: unknown) => typeof value === 'string';

/** Whether the schema would give back just this: every member is there, and none is to be made into something else. */
const isPlainRoute = (value: unknown): value is z.output<typeof routeSchema> => {
  if (!isRoute(value)) return false;
  const route = value as Record<string, unknown>;
  for (const name in route) if (!KNOWN_MEMBERS.has(name)) return false;
  // A site of one language has no groups.
  for (const name of ROUTE_MEMBERS) if (route[name] === undefined && name !== 'group') return false;
  return (
    typeof route.id === 'number' &&
    typeof route.is_front === 'boolean' &&
    typeof route.noindex === 'boolean' &&
    (route.group === undefined || (Number.isSafeInteger(route.group) && Number(route.group) >= 0)) &&
    [route.slug, route.title, route.template, route.theme, route.modified, route.canonical].every(isText)
  );
};

/** Reads a route as `routeSchema` does. Ten thousand of the usual ones then take 10 ms of a start, not 90. */
export const readRoute = (value: unknown) =>
  isPlainRoute(value) ? { success: true as const, data: value, error: undefined } : routeSchema.safeParse(value);

/** Half a character cannot be written into an address. */
const address = z.string().refine((text) => text.isWellFormed());

export const redirectSchema = z.discriminatedUnion('status', [
  z.object({ from: address, status: z.literal([301, 302]), to: address }),
  z.object({ from: address, status: z.literal(410) }),
]);

/** Redirects, a stretch of them at a time. */
export const redirectsSchema = z.object({
  total: wholeNumber,
  per_page: wholeNumber.refine((count) => count > 0, 'holds nothing'),
  items: z
    .array(z.unknown())
    .refine(
      (items) => items.length === 0 || items.some((item) => redirectSchema.safeParse(item).success),
      'holds not one redirect',
    ),
});

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

export const LOCATIONS = ['main_menu', 'social_menu', 'legals_menu'];

/** Whether a location can be read: a menu of which no item can is none. */
export function isMenu(value: unknown): boolean {
  const menu = menuSchema.safeParse(value);
  return menu.success && (menu.data.length === 0 || menu.data.some((item) => menuItemSchema.safeParse(item).success));
}

/** Locations by name; an empty answer is an empty menu object (R26). */
export const menusSchema = z.preprocess(
  (value) => value ?? {},
  recordOf((name, value) => LOCATIONS.includes(name) && isMenu(value)),
);

/** A location holds a menu, a bare list of items, or nothing. */
export const menuSchema = z
  .union([z.object({ items: z.array(z.unknown()) }), z.array(z.unknown()).transform((items) => ({ items })), z.null()])
  .transform((menu) => menu?.items ?? []);

export const menuItemSchema = z.object({
  title: text,
  url: z.string(),
  target: text,
  /** Those that stand below it. */
  children: z.array(z.unknown()).nullish().catch(null),
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
const yoastSchema = z.looseObject({
  title: maybeText,
  description: maybeText,
  robots: record.optional().catch(undefined),
  canonical: maybeText,
  og_title: maybeText,
  og_description: maybeText,
  schema: z
    .object({ '@graph': z.array(z.record(z.string(), z.unknown())) })
    .optional()
    .catch(undefined),
  /** A picture chosen by its address comes with `""` for its measures; what cannot be read costs itself alone. */
  og_image: z
    .array(
      z
        .object({ url: z.string(), width: wholeNumber.catch(0), height: wholeNumber.catch(0) })
        .nullable()
        .catch(null),
    )
    .transform((pictures) => pictures.filter((picture) => picture !== null))
    .optional()
    .catch(undefined),
  twitter_misc: record.optional().catch(undefined),
});

export type WireYoast = z.output<typeof yoastSchema>;

const pictureFile = z.object({ url: z.string(), width: wholeNumber.catch(0), height: wholeNumber.catch(0) });

/** `null` is no picture; so are the empty values PHP puts in its place, and one that cannot be read. */
export const pictureSchema = pictureFile
  .extend({ alt: text.catch(''), sizes: z.array(pictureFile.nullable().catch(null)).nullish().catch(null) })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const seoSchema = z.object({
  title: text.catch(''),
  description: text.catch(''),
  noindex: z.boolean().catch(false),
  picture: pictureSchema,
  /** For networks, where they differ: an SEO plugin's own words for these come before the panel's. */
  share_title: maybeText,
  share_description: maybeText,
  /** Names and codes by which search engines know who owns the site; on the front page only. */
  verification: record
    .transform((codes) =>
      Object.fromEntries(Object.entries(codes).filter((code): code is [string, string] => typeof code[1] === 'string')),
    )
    .catch({}),
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
  sections: z.array(z.unknown()).nullish().catch(null),
  /** The featured image; missing where the companion plugin is. */
  picture: pictureSchema,
  yoast_head_json: yoastSchema.nullish().catch(null),
  /** The editor's own words for links and search engines; missing where the companion plugin is. */
  found: seoSchema.nullish().catch(null),
});

/** Members of a page that cost themselves alone where they cannot be read, each with what it must be. */
export const PAGE_MEMBERS: Record<string, z.ZodType> = {
  acf: record,
  excerpt: rendered,
  found: z.looseObject({}),
  yoast_head_json: z.looseObject({}),
  picture: pictureFile,
  sections: z.array(z.unknown()),
};

/** What `wp/v2/search` finds; what cannot be read of it is left out. */
export const searchSchema = z
  .array(z.object({ id: wholeNumber, subtype: z.string() }).nullable().catch(null))
  .transform((items) => items.filter((item) => item !== null));

export type WirePage = z.output<typeof pageSchema>;

export type WirePicture = NonNullable<z.output<typeof pictureSchema>>;

/** Reads a value; an error names the endpoint and the first field that broke the schema. */
export function check<T>(schema: z.ZodType<T>, value: unknown, endpoint: string): Result<T> {
  const read = schema.safeParse(value);
  if (read.success) return success(read.data);
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') || '(the whole answer)';
  return failure('bad response', `${endpoint}: ${field}: ${issue?.message ?? 'not as expected'}`);
}
