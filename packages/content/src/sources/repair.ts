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
} from '../wordpress/schemas.ts';
import { isOurSection, sectionSchema } from '../wordpress/section-schemas.ts';

/** A response whose unreadable parts are replaced with those of the last valid one. */
export interface Repaired {
  response: unknown;
  /** Names of the members that could not be read. */
  unreadable: string[];
}

type Members = Record<string, unknown>;

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const reads = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

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
  const broken = list.filter((item) => !isReadable(item));
  if (broken.length === 0) return { list, count: 0 };
  const good = lastGood.filter(isReadable);
  if (broken.length === list.length && good.length > 0) return { list: lastGood, count: broken.length };
  const named = new Map(good.map((item) => [keyOf(item), item]));
  const repaired = list.map((item, index) => {
    if (isReadable(item)) return item;
    const key = keyOf(item);
    const [inPlace] = list.length === lastGood.length ? [lastGood[index]] : [];
    return (key === undefined ? undefined : named.get(key)) ?? (isReadable(inPlace) ? inPlace : item);
  });
  return { list: repaired, count: broken.length };
}

const byMember =
  (name: string) =>
  (item: unknown): unknown =>
    membersOf(item)[name];

const ROUTES: ListKind = { isReadable: isRoute, keyOf: byMember('id') };
const REDIRECTS: ListKind = { isReadable: (item) => reads(redirectSchema, item), keyOf: byMember('from') };
const LANGUAGES: ListKind = { isReadable: (item) => reads(languageSchema, item), keyOf: byMember('tag') };
const FIELDS: ListKind = { isReadable: (item) => reads(FORM_FORMAT.fieldSchema, item), keyOf: byMember('id') };
const MENU_ITEMS: ListKind = { isReadable: (item) => reads(menuItemSchema, item), keyOf: byMember('id') };

const SECTIONS: ListKind = {
  // A section of another plugin is not an error: it is left out and not replaced.
  isReadable: (item) => reads(sectionSchema, item) || (isObject(item) && !isOurSection(item)),
  // Sections have no key.
  keyOf: () => undefined,
};

function repairMember(
  response: Members,
  lastGood: Members,
  name: string,
  kind: ListKind,
  unreadable: string[],
): Members {
  const { list, count } = repairList(listOf(response[name]), listOf(lastGood[name]), kind);
  if (count === 0) return response;
  unreadable.push(name);
  return { ...response, [name]: list };
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
    const isReadable = reads(menuSchema, menu);
    const { list, count } = repairList(itemsIn(menu), itemsIn(last[location]), MENU_ITEMS);
    if (isReadable && count === 0) continue;
    unreadable.push(location);
    if (!isReadable && isMenu(last[location])) repaired[location] = last[location];
    if (isReadable) repaired[location] = Array.isArray(menu) ? list : { ...membersOf(menu), items: list };
  }
  return repaired;
}

/** Whether a value is valid for a text or number of the strings. A number may be a string. */
function isLeaf(fallback: unknown, value: unknown): boolean {
  if (value === null || typeof value === 'string') return true;
  return typeof fallback === 'number' && typeof value === 'number';
}

function repairTexts(
  fallback: unknown,
  value: unknown,
  lastGood: unknown,
  path: string,
  unreadable: string[],
): unknown {
  if (value === undefined) return value;
  if (!isObject(fallback)) {
    if (isLeaf(fallback, value)) return value;
    unreadable.push(path);
    return lastGood !== undefined && isLeaf(fallback, lastGood) ? lastGood : value;
  }
  // PHP encodes an empty group as a list.
  if (value === null || (Array.isArray(value) && value.length === 0)) return value;
  if (!isObject(value)) {
    unreadable.push(path);
    return isObject(lastGood) ? lastGood : value;
  }
  const hasOwnNames = Object.keys(fallback).length === 0;
  const repaired = Object.entries(value).map(([name, member]) => {
    if (!hasOwnNames && !Object.hasOwn(fallback, name)) return [name, member] as const;
    const below = hasOwnNames ? '' : fallback[name];
    return [
      name,
      repairTexts(below, member, membersOf(lastGood)[name], path ? `${path}.${name}` : name, unreadable),
    ] as const;
  });
  return Object.fromEntries(repaired);
}

/** Repairs the list of languages, which comes with the texts. If it is unreadable, no language may be lost. */
function repairLanguages(response: unknown, lastGood: unknown, unreadable: string[]): unknown {
  const strings = membersOf(response);
  if (strings.languages === undefined) return response;
  const isList = Array.isArray(strings.languages);
  if (isList) return repairMember(strings, membersOf(lastGood), 'languages', LANGUAGES, unreadable);
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
    if (value === undefined || value === null || reads(schema, value)) continue;
    unreadable.push(name);
    if (reads(schema, last[name])) repaired = { ...repaired, [name]: last[name] };
  }
  const isSamePlace = listOf(repaired.sections).map((item) => membersOf(item).type);
  const lastSections = listOf(last.sections).map((item, index) =>
    membersOf(item).type === isSamePlace[index] ? item : undefined,
  );
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
  const repaired = repairedResponse(endpoint, response, lastGood, unreadable);
  return { response: unreadable.length === 0 ? response : repaired, unreadable };
}

function repairedResponse({ name }: Endpoint, response: unknown, lastGood: unknown, unreadable: string[]): unknown {
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
      return repairMember(membersOf(response), membersOf(lastGood), 'items', REDIRECTS, unreadable);
    case 'page':
      return repairPage(response, lastGood, unreadable);
    case 'form':
      return repairMember(membersOf(response), membersOf(lastGood), 'fields', FIELDS, unreadable);
    default:
      return response;
  }
}
