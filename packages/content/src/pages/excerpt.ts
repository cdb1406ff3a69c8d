import { escapeRegExp } from '@pillion/lib/escape.ts';
import { plainText, textOf } from '../text/plain-text.ts';
import type { ExcerptRun } from '../types.ts';
import type { PageContent } from './page-content.ts';
import type { KeptSection } from './sections.ts';

/** About three lines of text, in characters. */
const EXCERPT_LENGTH = 200;

/** Text before the first match, in characters. */
const LEAD_LENGTH = 50;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a value is a headline: a list of runs. */
const isInline = (value: unknown): value is Parameters<typeof textOf>[0] =>
  Array.isArray(value) && value.length > 0 && value.every((run) => isText(run?.text) && 'mark' in run);

/** Elements that separate texts without a space in the markup. */
const TEXT_END = /<\/(?:p|li|h[1-6]|t[dh]|caption|figcaption|blockquote|pre|d[td]|div|summary)>|<br\b[^>]*>/gi;

/** Returns all readable text of a section of any type. */
function textsOf(value: unknown, name = ''): string[] {
  // A drawing, which the sanitiser writes from its root element on.
  if (isText(value) && value.startsWith('<svg ')) return [];
  if (isText(value)) return name === 'html' ? [plainText(value.replace(TEXT_END, ' $&'))] : [value];
  if (isInline(value)) return [textOf(value)];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item));
  if (typeof value !== 'object' || value === null || 'sources' in value) return [];
  return Object.entries(value).flatMap(([member, inner]) => (member === 'type' ? [] : textsOf(inner, member)));
}

const read = new WeakMap<KeptSection[], string>();

/** Returns the text of a page, cached per response of WordPress. */
export function readableText({ sections }: PageContent): string {
  const known = read.get(sections);
  if (known !== undefined) return known;
  const text = sections
    .flatMap((section) => textsOf(section))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  read.set(sections, text);
  return text;
}

/** Stores the text that another thread has read from these sections. */
export const rememberText = ({ sections }: PageContent, text: string): void => void read.set(sections, text);

/** The words of a query, small. */
export const wordsOf = (query: string): string[] => [...new Set(query.toLowerCase().split(' ').filter(Boolean))];

/** Splits a text at the words of a query. */
export function marked(text: string, words: string[]): ExcerptRun[] {
  if (words.length === 0) return text ? [{ text, isMatch: false }] : [];
  // Longer words first, so that "form" does not split "formal".
  const any = words
    .toSorted((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join('|');
  return text
    .split(new RegExp(`(${any})`, 'giu'))
    .map((part, i) => ({ text: part, isMatch: i % 2 === 1 }))
    .filter((run) => run.text !== '');
}

/** Returns the text around the first word, or the description if the words are only in the title. */
export function excerptOf(content: PageContent, words: string[]): ExcerptRun[] {
  const text = readableText(content);
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return marked(cut(content.description || text, 0), words);
  return marked(cut(text, Math.min(...places)), words);
}

/** @returns About `EXCERPT_LENGTH` characters around `place`, in whole words, with an ellipsis at each cut. */
function cut(text: string, place: number): string {
  const from = place <= LEAD_LENGTH ? 0 : text.indexOf(' ', place - LEAD_LENGTH) + 1;
  const rest = text.slice(from, from + EXCERPT_LENGTH);
  const isWhole = from + EXCERPT_LENGTH >= text.length;
  return `${from > 0 ? '… ' : ''}${isWhole ? rest : `${rest.replace(/\s+\S*$/, '')} …`}`;
}
