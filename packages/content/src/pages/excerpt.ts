import { escapeRegExp } from '@pillion/lib/escape.ts';
import { plainText, textOf } from '../text/plain-text.ts';
import type { ExcerptRun } from '../types.ts';
import type { PageContent } from './page-content.ts';
import type { KeptSection } from './sections.ts';

/** About three lines of text, in characters. */
const EXCERPT_LENGTH = 200;

/** What leads in before the first match, in characters. */
const LEAD_LENGTH = 50;

const isText = (value: unknown): value is string => typeof value === 'string';

/** A headline as it travels: runs of text. */
const isInline = (value: unknown): value is Parameters<typeof textOf>[0] =>
  Array.isArray(value) && value.length > 0 && value.every((run) => isText(run?.text) && 'mark' in run);

/** Where one text ends and the next begins, though nothing stands between them in the markup. */
const TEXT_END = /<\/(?:p|li|h[1-6]|t[dh]|caption|figcaption|blockquote|pre|d[td]|div|summary)>|<br\b[^>]*>/gi;

/** Everything of a section that a visitor reads, whatever its type: text, headlines, lists of those. */
function textsOf(value: unknown, name = ''): string[] {
  if (isText(value)) return name === 'html' ? [plainText(value.replace(TEXT_END, ' $&'))] : [value];
  if (isInline(value)) return [textOf(value)];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item));
  if (typeof value !== 'object' || value === null || 'sources' in value) return [];
  return Object.entries(value).flatMap(([member, inner]) => (member === 'type' ? [] : textsOf(inner, member)));
}

const read = new WeakMap<KeptSection[], string>();

/** A page as one text, made once per answer of WordPress'. */
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

/** Saves the work where another thread has read the text of these sections. */
export const rememberText = ({ sections }: PageContent, text: string): void => void read.set(sections, text);

/** The words of a query, small. */
export const wordsOf = (query: string): string[] => [...new Set(query.toLowerCase().split(' ').filter(Boolean))];

/** Splits a text at the words that were looked for. */
export function marked(text: string, words: string[]): ExcerptRun[] {
  if (words.length === 0) return text ? [{ text, isMatch: false }] : [];
  // The longer word first: "form" would else take "formal" apart.
  const any = words
    .toSorted((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join('|');
  return text
    .split(new RegExp(`(${any})`, 'giu'))
    .map((part, i) => ({ text: part, isMatch: i % 2 === 1 }))
    .filter((run) => run.text !== '');
}

/** What a page says around the first of the words; its description where the words are in its title alone. */
export function excerptOf(content: PageContent, words: string[]): ExcerptRun[] {
  const text = readableText(content);
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return marked(cut(content.description || text, 0), words);
  return marked(cut(text, Math.min(...places)), words);
}

/** @returns About `EXCERPT_LENGTH` of `text` around `place`, on whole words, with an ellipsis where it was cut. */
function cut(text: string, place: number): string {
  const from = place <= LEAD_LENGTH ? 0 : text.indexOf(' ', place - LEAD_LENGTH) + 1;
  const rest = text.slice(from, from + EXCERPT_LENGTH);
  const isWhole = from + EXCERPT_LENGTH >= text.length;
  return `${from > 0 ? '… ' : ''}${isWhole ? rest : `${rest.replace(/\s+\S*$/, '')} …`}`;
}
