import type { z } from 'zod';
import type { Language } from '../types.ts';
import type { Warn } from './result.ts';
import { languageSchema } from './schemas.ts';

/** A language with the data that only the server uses. */
export interface SiteLanguage extends Language {
  /** Tag of the language whose pages replace missing ones; `null`: missing pages are not found. */
  fallback: string | null;
}

/** At least one language; the default first. */
export type Languages = readonly [SiteLanguage, ...SiteLanguage[]];

/**
 * Language whose texts are requested while no list of languages is known: the list comes with the texts. WordPress
 * responds in its default language if it does not have this one.
 */
export const FIRST_REQUESTED = 'en';

/** Languages of a site that reports no languages. */
export const ONE_LANGUAGE: Languages = [
  { tag: FIRST_REQUESTED, name: 'English', dir: 'ltr', home: '/', fallback: null },
];

/** `api` is the code of a language (Apiaká) and the path of the server's own endpoints. */
const RESERVED_TAGS = new Set(['api']);

/** @returns The canonical BCP 47 tag; `null` if it is invalid or cannot be part of an address. */
function canonicalTag(text: string): string | null {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    return tag === '' || RESERVED_TAGS.has(tag.toLowerCase()) ? null : tag;
  } catch {
    return null;
  }
}

/** The language's own name for itself. `of` rejects a tag with an extension or private use, such as `de-x-formal`. */
const languageName = (tag: string) =>
  new Intl.DisplayNames(tag, { type: 'language' }).of(new Intl.Locale(tag).baseName) ?? tag;

/** Returns a fallback if all languages of its chain exist and the chain has no loop. */
function validFallback(tag: string, fallbacks: Map<string, string | null>): string | null {
  const seen = new Set([tag]);
  for (let next = fallbacks.get(tag) ?? null; next !== null; next = fallbacks.get(next) ?? null) {
    if (!fallbacks.has(next) || seen.has(next)) return null;
    seen.add(next);
  }
  return fallbacks.get(tag) ?? null;
}

/** Reads a list of languages. The first one of a tag counts; invalid ones are left out. */
function readLanguages(list: unknown[], warn: Warn): Languages {
  const byTag = new Map<string, z.output<typeof languageSchema>>();
  for (const [index, item] of list.entries()) {
    const wire = languageSchema.safeParse(item);
    const tag = wire.success ? canonicalTag(wire.data.tag) : null;
    if (!wire.success || tag === null) warn('content.language-dropped', { language: index });
    else if (!byTag.has(tag)) byTag.set(tag, wire.data);
  }
  const fallbacks = new Map([...byTag].map(([tag, { fallback }]) => [tag, canonicalTag(fallback)]));
  const [first, ...others] = [...byTag].map(([tag, { name, dir }], index) => ({
    ...{ tag, name: name || languageName(tag), dir },
    home: index === 0 ? '/' : `/${tag.toLowerCase()}/`,
    fallback: validFallback(tag, fallbacks),
  }));
  return first ? [first, ...others] : ONE_LANGUAGE;
}

const languagesByStrings = new WeakMap<object, Languages>();

/** Reads the languages that come with WordPress' texts, once per response. Leaves out invalid ones. */
export function languagesOf(strings: unknown, warn: Warn): Languages {
  if (typeof strings !== 'object' || strings === null || !('languages' in strings)) return ONE_LANGUAGE;
  const cached = languagesByStrings.get(strings);
  if (cached) return cached;
  const languages = Array.isArray(strings.languages) ? readLanguages(strings.languages, warn) : ONE_LANGUAGE;
  languagesByStrings.set(strings, languages);
  return languages;
}

/** Whether a path may begin with a language tag. */
export const mayHaveLanguage = (path: string): boolean => /^\/[a-z]{2,3}(?:-[a-z\d]{2,8})*(?:\/|$)/i.test(path);

/** Returns the language of a path by its prefix, else the default. */
export function languageOf(languages: Languages, path: string): SiteLanguage {
  const prefix = `/${path.split('/', 2)[1]?.toLowerCase()}/`;
  return languages.find(({ home }) => home === prefix) ?? languages[0];
}

/** Returns the language with a tag, else the default. */
export function languageNamed(languages: Languages, tag: string | undefined): SiteLanguage {
  const wanted = tag?.toLowerCase();
  return languages.find(({ tag: own }) => own.toLowerCase() === wanted) ?? languages[0];
}

/** @returns A path without its language: `/de/about/` → `about/`. */
export const pathWithin = ({ home }: Language, path: string): string => path.slice(home.length);

/** Returns the fallback languages of a language, nearest first. */
export function fallbacksOf(languages: Languages, { fallback }: SiteLanguage): SiteLanguage[] {
  const chain: SiteLanguage[] = [];
  for (let tag = fallback; tag !== null; tag = chain.at(-1)?.fallback ?? null) {
    const next = languages.find((language) => language.tag === tag);
    if (!next) break;
    chain.push(next);
  }
  return chain;
}

/** Returns the data that the browser gets. */
export const publicLanguage = ({ tag, name, dir, home }: SiteLanguage): Language => ({ tag, name, dir, home });
