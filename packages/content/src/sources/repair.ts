import type { z } from 'zod';
import { FORM_FORMAT } from '../forms/format.ts';
import { DEFAULT_STRINGS } from '../wordpress/default-strings.ts';
import type { Endpoint } from '../wordpress/endpoints.ts';
import {
  isMenu,
  isObject,
  isRoute,
  LOCATIONS,
  languageSchema,
  menuItemSchema,
  menuSchema,
  PAGE_MEMBERS,
  redirectSchema,
  routeSchema,
} from '../wordpress/schemas.ts';
import { isDeclaredSection, sectionSchema } from '../wordpress/section-schemas.ts';

/** A response whose unreadable parts are replaced with those of the last valid one. */
export interface Repaired {
  response: unknown;
  /** Names of the members that could not be read. */
  unreadable: string[];
}

type Members = Record<string, unknown>;

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isValid = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

interface ListKind {
  isReadable: (item: unknown) => boolean;
  /** Identifies an item in both responses, even if the rest of it cannot be read; `undefined` if items have no key. */
  keyOf: (item: unknown) => unknown;
}

/**
 * Repairs a list. An unreadable item is replaced with the last valid one with the same key, or at the same index in a
 * list of the same length. If no item can be read, the whole last valid list is used.
 */
function repairList(
  list: unknown[],
  lastGood: unknown[],
  { isReadable, keyOf }: ListKind,
): { list: unknown[]; count: number } {
  const unreadableItems = list.filter((item) => !isReadable(item));
  if (unreadableItems.length === 0) return { list, count: 0 };
  const readable = lastGood.filter(isReadable);
  const count = unreadableItems.length;
  if (count === list.length && readable.length > 0) return { list: lastGood, count };
  const byKey = new Map(readable.map((item) => [keyOf(item), item]));
  const substituteFor = (item: unknown, index: number) => {
    const key = keyOf(item);
    const withKey = key === undefined ? undefined : byKey.get(key);
    const atIndex = list.length === lastGood.length ? lastGood[index] : undefined;
    return withKey ?? (isReadable(atIndex) ? atIndex : item);
  };
  const repaired = list.map((item, index) => (isReadable(item) ? item : substituteFor(item, index)));
  return { list: repaired, count };
}

/** Items that `schema` reads, identified by their member `key`. */
const listKind = (schema: z.ZodType, key: string): ListKind => ({
  isReadable: (item) => isValid(schema, item),
  keyOf: (item) => membersOf(item)[key],
});

const ROUTES: ListKind = { ...listKind(routeSchema, 'id'), isReadable: isRoute };
const REDIRECTS = listKind(redirectSchema, 'from');
const LANGUAGES = listKind(languageSchema, 'tag');
const FIELDS = listKind(FORM_FORMAT.fieldSchema, 'id');
const MENU_ITEMS = listKind(menuItemSchema, 'id');

const SECTIONS: ListKind = {
  // A section of another plugin is not an error: it is left out and not replaced.
  isReadable: (item) => isValid(sectionSchema, item) || (isObject(item) && !isDeclaredSection(item)),
  // Sections have no key.
  keyOf: () => undefined,
};

/** Repairs the list in one member, and adds its name to `unreadable` if an item could not be read. */
function repairMember(
  response: unknown,
  lastGood: unknown,
  name: string,
  kind: ListKind,
  unreadable: string[],
): unknown {
  const members = membersOf(response);
  const { list, count } = repairList(listOf(members[name]), listOf(membersOf(lastGood)[name]), kind);
  if (count === 0) return response;
  unreadable.push(name);
  return { ...members, [name]: list };
}

/** Items of a menu, which is an object or a list. */
const itemsIn = (menu: unknown): unknown[] => listOf(Array.isArray(menu) ? menu : membersOf(menu).items);

function repairMenus(response: unknown, lastGood: unknown, unreadable: string[]): unknown {
  if (!isObject(response)) return response;
  const last = membersOf(lastGood);
  const repaired: Members = { ...response };
  for (const location of LOCATIONS) {
    const menu = response[location];
    if (menu === undefined) continue;
    const isReadable = isValid(menuSchema, menu);
    const { list, count } = repairList(itemsIn(menu), itemsIn(last[location]), MENU_ITEMS);
    if (isReadable && count === 0) continue;
    unreadable.push(location);
    if (!isReadable && isMenu(last[location])) repaired[location] = last[location];
    if (isReadable) repaired[location] = Array.isArray(menu) ? list : { ...membersOf(menu), items: list };
  }
  return repaired;
}

/** Whether a value is valid for a text or number of the strings. A number may be a string. */
function isValidLeaf(fallback: unknown, value: unknown): boolean {
  if (value === null || typeof value === 'string') return true;
  return typeof fallback === 'number' && typeof value === 'number';
}

/**
 * Replaces unreadable texts, numbers and groups with the last valid ones. Without one, the unreadable value stays, and
 * its reader uses the default.
 * @param fallback The default at this path. Its type decides which values are valid.
 * @param path Names joined with dots; empty for all texts.
 * @param unreadable Gets the path of each unreadable value.
 * @returns The repaired value; the unreadable one if there was no valid one before.
 */
function repairTexts(
  fallback: unknown,
  value: unknown,
  lastGood: unknown,
  path: string,
  unreadable: string[],
): unknown {
  if (value === undefined) return value;
  if (isObject(fallback)) return repairGroup(fallback, value, lastGood, path, unreadable);
  if (isValidLeaf(fallback, value)) return value;
  unreadable.push(path);
  return lastGood !== undefined && isValidLeaf(fallback, lastGood) ? lastGood : value;
}

function repairGroup(
  fallbacks: Record<string, unknown>,
  value: unknown,
  lastGood: unknown,
  path: string,
  unreadable: string[],
): unknown {
  // PHP encodes an empty group as a list.
  if (value === null || (Array.isArray(value) && value.length === 0)) return value;
  if (!isObject(value)) {
    unreadable.push(path);
    return isObject(lastGood) ? lastGood : value;
  }
  const last = membersOf(lastGood);
  const repaired = Object.entries(value).map(([name, member]): [string, unknown] => {
    const fallback = fallbackIn(fallbacks, name);
    // An unknown member is not used, so it is not repaired either.
    if (fallback === undefined) return [name, member];
    return [name, repairTexts(fallback, member, last[name], path ? `${path}.${name}` : name, unreadable)];
  });
  return Object.fromEntries(repaired);
}

/** @returns The default of a member; `undefined` if no such member is declared. */
function fallbackIn(fallbacks: Record<string, unknown>, name: string): unknown {
  // A group without declared members, such as `links`, may have texts of any name.
  if (Object.keys(fallbacks).length === 0) return '';
  return Object.hasOwn(fallbacks, name) ? fallbacks[name] : undefined;
}

/** Repairs the list of languages, which comes with the texts. If it is unreadable, no language may be lost. */
function repairLanguages(response: unknown, lastGood: unknown, unreadable: string[]): unknown {
  const strings = membersOf(response);
  if (strings.languages === undefined) return response;
  if (Array.isArray(strings.languages)) return repairMember(strings, lastGood, 'languages', LANGUAGES, unreadable);
  unreadable.push('languages');
  const { languages: _, ...rest } = strings;
  const last = membersOf(lastGood).languages;
  return Array.isArray(last) ? { ...rest, languages: last } : rest;
}

function repairPage(response: unknown, lastGood: unknown, unreadable: string[]): unknown {
  let repaired = membersOf(response);
  const last = membersOf(lastGood);
  for (const [name, schema] of Object.entries(PAGE_MEMBERS)) {
    const value = repaired[name];
    if (value === undefined || value === null || isValid(schema, value)) continue;
    unreadable.push(name);
    if (isValid(schema, last[name])) repaired = { ...repaired, [name]: last[name] };
  }
  const types = listOf(repaired.sections).map((item) => membersOf(item).type);
  // A section is never replaced with one of another type.
  const lastSections = listOf(last.sections)
    .slice(0, types.length)
    .map((item, index) => (membersOf(item).type === types[index] ? item : undefined));
  return repairMember(repaired, { ...last, sections: lastSections }, 'sections', SECTIONS, unreadable);
}

/**
 * Replaces unreadable members with the last valid ones.
 * @param response A response that its schema has accepted.
 * @param lastGood The last valid response; `null` if no response is stored.
 * @returns The same object if all members can be read.
 */
export function repair(endpoint: Endpoint, response: unknown, lastGood: unknown): Repaired {
  const unreadable: string[] = [];
  const repaired = repairResponse(endpoint, response, lastGood, unreadable);
  return { response: unreadable.length === 0 ? response : repaired, unreadable };
}

function repairResponse({ name }: Endpoint, response: unknown, lastGood: unknown, unreadable: string[]): unknown {
  switch (name) {
    case 'menus':
      return repairMenus(response, lastGood, unreadable);
    case 'strings':
      return repairLanguages(repairTexts(DEFAULT_STRINGS, response, lastGood, '', unreadable), lastGood, unreadable);
    case 'routes': {
      const { list, count } = repairList(listOf(response), listOf(lastGood), ROUTES);
      if (count > 0) unreadable.push('routes');
      return list;
    }
    case 'redirects':
      return repairMember(response, lastGood, 'items', REDIRECTS, unreadable);
    case 'page':
      return repairPage(response, lastGood, unreadable);
    case 'form':
      return repairMember(response, lastGood, 'fields', FIELDS, unreadable);
    default:
      return response;
  }
}
