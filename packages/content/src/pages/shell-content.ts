import { z } from 'zod';
import { plainText, titleText } from '../text/plain-text.ts';
import { logoSvg } from '../text/svg.ts';
import type { Look } from '../theme.ts';
import type { Link, Menu, MenuItem, Menus, SocialNetwork, Strings } from '../types.ts';
import { buildStrings, DEFAULT_LEGALS_MENU, type Text, withDefaultIn } from '../wordpress/default-strings.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import { isMenu, isObject, menuItemSchema, menuSchema, valueAt, wholeNumber } from '../wordpress/schemas.ts';

const NETWORKS: readonly SocialNetwork[] = ['twitter', 'twitch', 'linkedin', 'instagram', 'facebook'];

const networkOf = (classes: string[]) => NETWORKS.find((network) => classes.includes(network)) ?? null;

/** Reads an item; `null` without an address or title. */
function itemOf(value: unknown, isSocial: boolean, rewriter: Rewriter): MenuItem | null {
  const read = menuItemSchema.safeParse(value);
  if (!read.success) return null;
  const url = rewriter.link(read.data.url);
  const network = isSocial ? networkOf(read.data.classes) : null;
  const title = titleText(read.data.title) || network;
  if (url === null || !title) return null;
  return { title, url, target: read.data.target === '_blank' ? '_blank' : '', network };
}

/** Deepest level of a menu that is read. WordPress allows more. */
const MAX_MENU_DEPTH = 5;

/** Flattens a menu: children follow their parent, since the design has no second level. */
function flattenMenu(items: unknown[], depth = 1): unknown[] {
  return items.flatMap((item) => {
    const read = menuItemSchema.safeParse(item);
    const children = read.success && depth < MAX_MENU_DEPTH ? flattenMenu(read.data.children ?? [], depth + 1) : [];
    // A parent without an address only opens its children, so it is left out.
    const isOpener = read.success && children.length > 0 && ['', '#'].includes(read.data.url.trim());
    return isOpener ? children : [item, ...children];
  });
}

function menuOf(wire: Record<string, unknown>, location: keyof Menus, rewriter: Rewriter, warn: Warn): Menu {
  const menu = wire[location] ?? null;
  if (!isMenu(menu)) {
    warn('content.menu-unreadable', { location });
    // No valid menu was ever received: otherwise `repair` would have inserted the last valid one.
    return location === 'legals_menu' ? DEFAULT_LEGALS_MENU : { items: [] };
  }
  const items = flattenMenu(menuSchema.parse(menu)).flatMap((value, index) => {
    const item = itemOf(value, location === 'social_menu', rewriter);
    if (item === null) warn('content.menu-item-dropped', { location, item: index });
    return item ?? [];
  });
  return { items };
}

/** Menus by location (R17). A location without a menu has no items (R26). */
export const menusOf = (wire: Record<string, unknown>, rewriter: Rewriter, warn: Warn): Menus => ({
  main_menu: menuOf(wire, 'main_menu', rewriter, warn),
  social_menu: menuOf(wire, 'social_menu', rewriter, warn),
  legals_menu: menuOf(wire, 'legals_menu', rewriter, warn),
});

/** The schema of a text that `convert` turns into a value, or into `null` if it is invalid. */
const convertedText = (convert: (text: string) => string | null) =>
  z
    .string()
    .transform(convert)
    .refine((value) => value !== null);

/** Reads the members of the strings. A missing one gets its default; an invalid one also logs a warning (R19). */
class Reader {
  #wire: Record<string, unknown>;
  #rewriter: Rewriter;
  #warn: Warn;

  constructor(wire: Record<string, unknown>, rewriter: Rewriter, warn: Warn) {
    this.#wire = wire;
    this.#rewriter = rewriter;
    this.#warn = warn;
  }

  read<T>(path: string, schema: z.ZodType<T>, fallback: T): T {
    const value = valueAt(this.#wire, path);
    if (value === undefined || value === null || value === '') return fallback;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    this.#warn('content.string-unreadable', { string: path });
    return fallback;
  }

  value(text: Text) {
    switch (text.kind) {
      case 'text':
      case 'lines':
        return this.text(text.path, text.default);
      case 'number':
        return this.read(text.path, wholeNumber, 0) || text.default;
      case 'count':
        return this.read<number | null>(text.path, wholeNumber, null);
      case 'choice': {
        const chosen = this.read(text.path, z.string(), '');
        return chosen !== '' && Object.hasOwn(text.choices, chosen) ? chosen : null;
      }
      case 'svg':
        return this.read(text.path, convertedText(logoSvg), null);
      case 'audio':
        return this.read(text.path, convertedText(this.#rewriter.media), null);
      case 'link':
        return this.link(text.path, text.default);
    }
  }

  text = (path: string, fallback: string): string => this.read(path, z.string().transform(plainText), '') || fallback;

  link(path: string, fallback: Link): Link {
    const url = this.#rewriter.link(this.read(`${path}.url`, z.string(), ''));
    const target = this.read(`${path}.target`, z.string(), '') === '_blank' ? '_blank' : '';
    return { title: this.text(`${path}.title`, fallback.title), url: url ?? fallback.url, target };
  }

  links(): Record<string, string> {
    const wire = this.#wire.links;
    const links: Record<string, string> = {};
    for (const name of Object.keys(isObject(wire) ? wire : {})) {
      const url = this.#rewriter.link(this.read(`links.${name}`, z.string(), ''));
      if (url !== null) links[name] = url;
    }
    return links;
  }
}

/**
 * Returns all texts of the shell (R18). Missing, empty and invalid ones get the defaults of R19 in the language.
 * @param wire The strings in WordPress’ response, nested by group.
 */
export function stringsOf(wire: Record<string, unknown>, lang: string, rewriter: Rewriter, warn: Warn): Strings {
  const reader = new Reader(wire, rewriter, warn);
  const strings = buildStrings((text) => reader.value(withDefaultIn(text, lang)), reader.links());
  const { brand, number, footer } = strings;
  const look = readLook(wire.look);
  return {
    ...strings,
    footer: { ...footer, colophon: fillColophon(footer.colophon, { brand, number }) },
    ...(look && { look }),
  };
}

/** Longest entry of a look (path and value together, in characters), and most entries: above every theme file. */
const MAX_LOOK_ENTRY_LENGTH = 200;
const MAX_LOOK_ENTRIES = 100;

/** Reads the look that editors have chosen. Which of it is allowed is known only with the theme file. */
function readLook(wire: unknown): Look | null {
  const entries = Object.entries(isObject(wire) ? wire : {}).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry.join('').length <= MAX_LOOK_ENTRY_LENGTH,
  );
  return entries.length > 0 ? Object.fromEntries(entries.slice(0, MAX_LOOK_ENTRIES)) : null;
}

/** Characters between the clauses of a colophon, with the Arabic comma and semicolon. */
const SEPARATORS = '|·•,;–—،؛';
const CLAUSE_END = new RegExp(String.raw`(?:[${SEPARATORS}]|\w{2,}\.)$`);
const DOUBLE_SEPARATOR = new RegExp(String.raw`([${SEPARATORS}])\s+[${SEPARATORS}]`);
const TRAILING_SEPARATORS = new RegExp(String.raw`[\s${SEPARATORS}]+$`);

/**
 * Removes `{number}` and its clause before it: "Example Inc. VAT No. {number}" becomes "Example Inc.". Without another
 * clause before it only `{number}` is removed.
 */
function withoutNumber(text: string): string {
  const [before = '', ...after] = text.split('{number}');
  if (after.length === 0) return text;
  const words = before.trimEnd().split(/\s+/);
  // The word directly before it is always removed, even an abbreviation with a full stop.
  const end = words.slice(0, -1).findLastIndex((word) => CLAUSE_END.test(word));
  const rest = `${words.slice(0, end + 1).join(' ') || before.trimEnd()}${after.join('')}`;
  return rest.replace(DOUBLE_SEPARATOR, '$1').replace(TRAILING_SEPARATORS, '');
}

/** Fills `{brand}` and `{number}` of the colophon (R18). */
const fillColophon = (text: string, values: { brand: string; number: string }) =>
  (values.number === '' ? withoutNumber(text) : text)
    .replace(/\{(brand|number)\}/g, (_, name: keyof typeof values) => values[name])
    .trim();
