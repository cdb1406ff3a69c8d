import { z } from 'zod';
import { DEFAULT_STRINGS } from './default-strings.ts';
import { failure, type Result, success } from './result.ts';

/**
 * Schemas of WordPress' responses. They check the members that the site needs and accept others, so that members of
 * other plugins do no harm. Items of lists are checked later, one by one, so that an invalid item does not affect
 * others.
 */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param path Names joined with dots: `fourohfour.link.url`. */
export function valueAt(value: unknown, path: string): unknown {
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value;
}

/** PHP encodes an empty object as `[]`. */
export const emptyAsObject = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

const record = z.preprocess(emptyAsObject, z.record(z.string(), z.unknown()));

/** PHP options often contain numbers as strings. */
export const wholeNumber = z.union([z.number().int().nonnegative(), z.string().regex(/^\d+$/).transform(Number)]);

const rendered = z.object({ rendered: z.string() });

/** A missing value or `null` is empty; other types than string are errors. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** WordPress' own addresses, as it reports them. */
export const siteSchema = z.object({
  home: z.string(),
  url: z.string(),
  /** Upload folders, the one for new files first. Missing with an older plugin. */
  pillion_uploads: z.array(z.string()).optional().catch(undefined),
});

export type SiteAddresses = z.output<typeof siteSchema>;

/** All addresses of the WordPress from which the bundled copy was pulled. */
export const originMarkSchema = z.object({ addresses: z.array(z.string()) });

/** A site without pages is an invalid response: the last valid one is used. */
export const routesSchema = z.array(z.unknown()).refine((routes) => routes.some(isRoute), 'has no valid route');

export const languageSchema = z.object({
  tag: z.string(),
  name: text.catch(''),
  dir: z.enum(['ltr', 'rtl']).catch('ltr'),
  /** Tag of the language whose pages replace missing ones; empty: no fallback. */
  fallback: text.catch(''),
});

export const routeSchema = z.object({
  id: wholeNumber,
  type: z.string().min(1),
  /** Restricted, since it becomes part of an address. */
  rest_base: z.string().regex(/^[\w-]+$/),
  slug: text,
  path: z.string().startsWith('/'),
  title: text,
  template: text,
  theme: text,
  is_front: z.boolean().catch(false),
  modified: text,
  noindex: z.boolean().catch(false),
  /** Address of the page of which this one is a copy; empty: itself. */
  canonical: text.catch(''),
  /** Number that a page and its translations share. */
  group: wholeNumber.nullish().catch(null),
});

const isOptionalText = (value: unknown) => value === undefined || value === null || typeof value === 'string';

/** Same checks as `routeSchema` in faster code: there may be 40,000 routes, which are checked on every read. */
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
    [slug, title, template, theme, modified].every(isOptionalText)
  );
}

/** Members of a route from the plugin. A route with other members is read by the schema. */
const ROUTE_MEMBERS = Object.keys(routeSchema.shape);
const KNOWN_MEMBERS = new Set([...ROUTE_MEMBERS, 'lang']);

/** Whether the schema would return the same value: all members are there, and none needs a conversion. */
const isPlainRoute = (value: unknown): value is z.output<typeof routeSchema> => {
  if (!isRoute(value)) return false;
  const route = value as Record<string, unknown>;
  for (const name in route) if (!KNOWN_MEMBERS.has(name)) return false;
  // A site with one language has no groups.
  for (const name of ROUTE_MEMBERS) if (route[name] === undefined && name !== 'group') return false;
  return (
    typeof route.id === 'number' &&
    typeof route.is_front === 'boolean' &&
    typeof route.noindex === 'boolean' &&
    (route.group === undefined || (Number.isSafeInteger(route.group) && Number(route.group) >= 0)) &&
    [route.slug, route.title, route.template, route.theme, route.modified, route.canonical].every(
      (value) => typeof value === 'string',
    )
  );
};

/** Reads a route with the result of `routeSchema`. 10,000 usual routes take 10 ms instead of 90 ms at the start. */
export const readRoute = (value: unknown) =>
  isPlainRoute(value) ? { success: true as const, data: value, error: undefined } : routeSchema.safeParse(value);

/** Half a surrogate pair cannot be encoded in an address. */
const address = z.string().refine((text) => text.isWellFormed());

export const redirectSchema = z.discriminatedUnion('status', [
  z.object({ from: address, status: z.literal([301, 302]), to: address }),
  z.object({ from: address, status: z.literal(410) }),
]);

/** One of several responses with redirects. */
export const redirectsSchema = z.object({
  total: wholeNumber,
  per_page: wholeNumber.refine((count) => count > 0, 'is empty'),
  items: z
    .array(z.unknown())
    .refine(
      (items) => items.length === 0 || items.some((item) => redirectSchema.safeParse(item).success),
      'has no valid redirect',
    ),
});

/**
 * An object with at least one known member, or an empty one. Firewalls and caches in front of WordPress also refuse
 * with JSON and status 200: `{ "code": "blocked" }` must not empty all menus.
 */
const recordOf = (isMember: (name: string, value: unknown) => boolean) =>
  record.refine(
    (value) =>
      Object.keys(value).length === 0 || Object.entries(value).some(([name, member]) => isMember(name, member)),
    'has no known member',
  );

export const LOCATIONS = ['main_menu', 'social_menu', 'legals_menu'];

/** Whether a location is valid: a menu whose items are all invalid is not. */
export function isMenu(value: unknown): boolean {
  const menu = menuSchema.safeParse(value);
  return menu.success && (menu.data.length === 0 || menu.data.some((item) => menuItemSchema.safeParse(item).success));
}

/** Menus by location; an empty response is an empty object (R26). */
export const menusSchema = z.preprocess(
  (value) => value ?? {},
  recordOf((name, value) => LOCATIONS.includes(name) && isMenu(value)),
);

/** A location contains a menu, a list of items, or `null`. */
export const menuSchema = z
  .union([z.object({ items: z.array(z.unknown()) }), z.array(z.unknown()).transform((items) => ({ items })), z.null()])
  .transform((menu) => menu?.items ?? []);

export const menuItemSchema = z.object({
  title: text,
  url: z.string(),
  target: text,
  /** Items of the next level. */
  children: z.array(z.unknown()).nullish().catch(null),
  classes: z
    .union([z.array(z.string()), z.string().transform((value) => value.split(/\s+/))])
    .nullish()
    .transform((value) => value ?? []),
});

/** Whether a member is a text, a group of texts, or `null`, which means empty. */
const isTextMember = (name: string, value: unknown) =>
  Object.hasOwn(DEFAULT_STRINGS, name) &&
  (value === null || typeof value === typeof DEFAULT_STRINGS[name as keyof typeof DEFAULT_STRINGS]);

export const stringsSchema = recordOf(isTextMember);

const optionalText = z.string().optional().catch(undefined);

const pictureFile = z.object({ url: z.string(), width: wholeNumber.catch(0), height: wholeNumber.catch(0) });

/** The members of Yoast SEO's `yoast_head_json` that the site reads (developer.yoast.com, "REST API"). */
const yoastSchema = z.looseObject({
  title: optionalText,
  description: optionalText,
  robots: record.optional().catch(undefined),
  canonical: optionalText,
  og_title: optionalText,
  og_description: optionalText,
  schema: z
    .object({ '@graph': z.array(z.record(z.string(), z.unknown())) })
    .optional()
    .catch(undefined),
  /** A picture that was chosen by address has `""` as width and height. Invalid pictures are left out. */
  og_image: z
    .array(pictureFile.nullable().catch(null))
    .transform((pictures) => pictures.filter((picture) => picture !== null))
    .optional()
    .catch(undefined),
  twitter_misc: record.optional().catch(undefined),
});

export type WireYoast = z.output<typeof yoastSchema>;

const fraction = z.number().min(0).max(1);

/** No picture: `null`, the empty values of PHP, and invalid ones. */
export const pictureSchema = pictureFile
  .extend({
    alt: text.catch(''),
    sizes: z.array(pictureFile.nullable().catch(null)).nullish().catch(null),
    focal_point: z.object({ x: fraction, y: fraction }).optional().catch(undefined),
  })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** No film: as `pictureSchema`. */
export const filmSchema = z
  .object({ url: z.string(), bytes: wholeNumber.catch(0) })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const seoSchema = z.object({
  title: text.catch(''),
  description: text.catch(''),
  noindex: z.boolean().catch(false),
  picture: pictureSchema,
  /** Texts for shared links if they differ: those of an SEO plugin come before the panel's. */
  share_title: optionalText,
  share_description: optionalText,
  /** Verification codes of search engines, by name; only on the front page. */
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
  /** An object, or `[]` if the page has no field. */
  acf: record.catch({}),
  /** Missing without the plugin: then only `content` is shown. */
  sections: z.array(z.unknown()).nullish().catch(null),
  /** The featured image; missing without the plugin. */
  picture: pictureSchema,
  yoast_head_json: yoastSchema.nullish().catch(null),
  /** The editor's texts for shared links and search engines; missing without the plugin. */
  found: seoSchema.nullish().catch(null),
});

/** Members of a page that are replaced separately if they are invalid, with their schemas. */
export const PAGE_MEMBERS: Record<string, z.ZodType> = {
  acf: record,
  excerpt: rendered,
  found: z.looseObject({}),
  yoast_head_json: z.looseObject({}),
  picture: pictureFile,
  sections: z.array(z.unknown()),
};

/** Results of `wp/v2/search`; invalid ones are left out. */
export const searchSchema = z
  .array(z.object({ id: wholeNumber, subtype: z.string() }).nullable().catch(null))
  .transform((items) => items.filter((item) => item !== null));

export type WirePage = z.output<typeof pageSchema>;

export type WireFilm = NonNullable<z.output<typeof filmSchema>>;
export type WirePicture = NonNullable<z.output<typeof pictureSchema>>;

/** Reads a value. An error names the endpoint and the first invalid field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown, endpoint: string): Result<T> {
  const read = schema.safeParse(value);
  if (read.success) return success(read.data);
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') || '(the whole response)';
  return failure('bad response', `${endpoint}: ${field}: ${issue?.message ?? 'not as expected'}`);
}
