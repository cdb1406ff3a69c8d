import { escapeRegExp } from '@pillion/lib/escape.ts';
import { plainText, textOf } from '../text/plain-text.ts';
import type { ExcerptRun } from '../types.ts';
import type { PageContent } from './page-content.ts';
import type { KeptSection } from './sections.ts';

/** About three lines of text, in characters. */
const EXCERPT_LENGTH = 200;

/** Text before the first match, in characters. */
const LEAD_LENGTH = 50;

/** Longer words are cut, since some scripts, such as Japanese, have no spaces. In characters. */
const MAX_WORD_LENGTH = 50;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a value is a headline: a list of runs. */
const isInline = (value: unknown): value is Parameters<typeof textOf>[0] =>
  Array.isArray(value) && value.length > 0 && value.every((run) => isText(run?.text) && 'mark' in run);

/** Whether a value is a picture or film, which has no text of the page. */
const isMedia = (value: object) => 'src' in value && ('sources' in value || 'bytes' in value);

/** Members of sections and items that readers do not see. */
const HIDDEN_MEMBERS = ['type', 'id'];

/** Elements that separate texts without a space in the markup. */
const TEXT_END = /<\/(?:p|li|h[1-6]|t[dh]|caption|figcaption|blockquote|pre|d[td]|div|summary)>|<br\b[^>]*>/gi;

/** Returns all readable text of a section of any type. */
function readableTexts(value: unknown, name = ''): string[] {
  // A drawing, which the sanitizer writes from its root element on.
  if (isText(value) && value.startsWith('<svg ')) return [];
  if (isText(value)) return name === 'html' ? [plainText(value.replace(TEXT_END, ' $&'))] : [value];
  if (isInline(value)) return [textOf(value)];
  if (Array.isArray(value)) return value.flatMap((item) => readableTexts(item));
  if (typeof value !== 'object' || value === null || isMedia(value)) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    HIDDEN_MEMBERS.includes(member) ? [] : readableTexts(inner, member),
  );
}

const textsBySections = new WeakMap<KeptSection[], string>();

/** Returns the text of a page, cached per response of WordPress. */
export function readableText({ sections }: PageContent): string {
  const known = textsBySections.get(sections);
  if (known !== undefined) return known;
  const text = sections
    .flatMap((section) => readableTexts(section))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  textsBySections.set(sections, text);
  return text;
}

/** Stores the text that another thread has read from these sections. */
export const cacheText = ({ sections }: PageContent, text: string): void => void textsBySections.set(sections, text);

/** The words of a query, in lower case. */
export const wordsOf = (query: string): string[] => [...new Set(query.toLowerCase().split(' ').filter(Boolean))];

/** Splits a text at the words of a query. */
export function markMatches(text: string, words: string[]): ExcerptRun[] {
  if (words.length === 0) return text ? [{ text, isMatch: false }] : [];
  // Longer words first, so that "form" does not split "formal".
  const pattern = words
    .toSorted((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((part, i) => ({ text: part, isMatch: i % 2 === 1 }))
    .filter((run) => run.text !== '');
}

/** Returns the text around the first word, or the description if the words are only in the title. */
export function excerptOf(content: PageContent, words: string[]): ExcerptRun[] {
  const text = readableText(content);
  const lowercase = text.toLowerCase();
  const positions = words.map((word) => lowercase.indexOf(word)).filter((position) => position >= 0);
  const excerpt =
    positions.length > 0 ? cutAround(text, Math.min(...positions)) : cutAround(content.description || text, 0);
  return markMatches(excerpt, words);
}

/** At the end of a cut text: a part of a word, or the first half of a surrogate pair. */
const PARTIAL_WORD = new RegExp(String.raw`\s+\S{0,${MAX_WORD_LENGTH}}$|[\ud800-\udbff]$`);

/** @returns About `EXCERPT_LENGTH` characters around `position`, in whole words, with an ellipsis at each cut. */
function cutAround(text: string, position: number): string {
  const earliest = Math.max(0, position - LEAD_LENGTH);
  const wordStart = earliest === 0 ? 0 : text.indexOf(' ', earliest) + 1;
  const isNear = wordStart >= earliest && wordStart <= position;
  const start = isNear ? wordStart : earliest;
  // Without the second half of a surrogate pair, if the cut is in one.
  const rest = text.slice(start, start + EXCERPT_LENGTH).replace(/^[\udc00-\udfff]/, '');
  const isEnd = start + EXCERPT_LENGTH >= text.length;
  return `${start > 0 ? '… ' : ''}${isEnd ? rest : `${rest.replace(PARTIAL_WORD, '')} …`}`;
}
