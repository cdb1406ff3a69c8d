import sanitizeHtml from 'sanitize-html';
import type { InlineText, TextRun } from '../types.ts';

/** Elements whose text is not for readers. */
export const UNREADABLE = ['script', 'style', 'textarea', 'option', 'noscript', 'xmp', 'svg', 'math', 'template'];

/** Editors nest no deeper. Malicious nesting could exhaust the stack. */
export const NESTING_LIMIT = 60;

/** In characters. Titles are shorter; the rest of malicious markup is ignored. */
const MAX_LENGTH = 20_000;

const ESCAPED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Decodes the four characters that the sanitizer escapes. */
export const decode = (text: string) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ESCAPED[entity] ?? entity);

const bare = (html: string, allowedTags: string[]) =>
  sanitizeHtml(html.slice(0, MAX_LENGTH), {
    allowedTags,
    allowedAttributes: {},
    nonTextTags: UNREADABLE,
    nestingLimit: NESTING_LIMIT,
  });

/** Skips the sanitizer without markup, as in most titles: 10,000 titles take 10 ms instead of half a second. */
const unmarked = (html: string) => (/[<>&\0]/.test(html) ? decode(bare(html, [])) : html.slice(0, MAX_LENGTH));

/** @returns The visible text: without markup, entities decoded, white space collapsed. */
export const plainText = (html: string): string => unmarked(html).replace(/\s+/g, ' ').trim();

/** Cuts a text after a word if it is longer. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…`;
}

/** Embeddings, overrides and isolates (UAX #9, 2.1 to 2.5), which apply until they are closed. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const OPENS_EMBEDDING = /[\u202a\u202b\u202d\u202e]/;
const OPENS_ISOLATE = /[\u2066-\u2068]/;
const [END_OF_EMBEDDING, FIRST_STRONG_ISOLATE, END_OF_ISOLATE] = ['\u202c', '\u2068', '\u2069'];

/**
 * Limits the direction marks of a text to itself, so that they do not affect text next to it.
 * @returns The same text if it has no such marks; else isolated, with all marks closed and unmatched ends removed.
 */
function isolated(text: string): string {
  if (!TURNING.test(text)) return text;
  const open: string[] = [];
  let sound = '';
  for (const sign of text) {
    if (OPENS_EMBEDDING.test(sign)) open.push(END_OF_EMBEDDING);
    else if (OPENS_ISOLATE.test(sign)) open.push(END_OF_ISOLATE);
    else if (sign === END_OF_EMBEDDING || sign === END_OF_ISOLATE) {
      if (open.at(-1) !== sign) continue;
      open.pop();
    }
    sound += sign;
  }
  return `${FIRST_STRONG_ISOLATE}${sound}${open.toReversed().join('')}${END_OF_ISOLATE}`;
}

/** Markup, entities, direction marks, and white space to collapse. */
const WORKED_ON = /[<>&\0\u202a-\u202e\u2066-\u2069]|[^\S ]| {2}|^ | $/;

/**
 * Same as `plainText` for titles, which are shown next to other text, such as the site's name, in menus and lists. Most
 * of up to 10,000 titles need no change.
 */
export const titleText = (html: string): string =>
  html.length <= MAX_LENGTH && !WORKED_ON.test(html) ? html : isolated(plainText(html));

const MARKS: Record<string, Exclude<TextRun['mark'], null>> = {
  em: 'em',
  i: 'em',
  strong: 'strong',
  b: 'strong',
  mark: 'muted',
};

/**
 * Reads a headline as runs of text.
 * @param html Only `<em>`, `<strong>`, `<mark>` (less prominent) and `<br>` (a newline) have a meaning. Other tags are
 * removed, and their text stays. The inner one of nested marks counts.
 */
export function inlineText(html: string): InlineText {
  const runs: TextRun[] = [];
  const open: TextRun['mark'][] = [];
  const say = (text: string) => {
    const mark = open.at(-1) ?? null;
    const last = runs.at(-1);
    if (last?.mark === mark) last.text += text;
    else runs.push({ text, mark });
  };
  for (const [token, closing, tag] of bare(html, [...Object.keys(MARKS), 'br']).matchAll(/<(\/?)(\w+)[^>]*>|[^<]+/g)) {
    if (tag === undefined) say(decode(token).replace(/\s+/g, ' '));
    else if (tag === 'br') say('\n');
    else if (closing) open.pop();
    else open.push(MARKS[tag] ?? null);
  }
  return trimmed(runs);
}

/** Removes white space at both ends and around line breaks, then empty runs. */
function trimmed(runs: TextRun[]): InlineText {
  const first = runs[0];
  const last = runs.at(-1);
  if (first) first.text = first.text.trimStart();
  if (last) last.text = last.text.trimEnd();
  for (const run of runs) run.text = run.text.replace(/ *\n */g, '\n');
  const kept = runs.filter((run) => run.text !== '');
  return kept.length === runs.length ? kept : trimmed(kept);
}

/** @returns The paragraphs of an inline text, which empty lines separate. */
export function paragraphsOf(runs: InlineText): InlineText[] {
  const paragraphs: InlineText[] = [[]];
  for (const { text, mark } of runs)
    for (const [index, part] of text.split(/\n{2,}/).entries()) {
      if (index > 0) paragraphs.push([]);
      paragraphs.at(-1)?.push({ text: part, mark });
    }
  return paragraphs.map(trimmed).filter((paragraph) => paragraph.length > 0);
}

/** @returns The text of a headline without marks. */
export const textOf = (runs: InlineText): string => runs.map((run) => run.text.replace(/\n/g, ' ')).join('');
