import sanitizeHtml from 'sanitize-html';
import type { InlineText, TextRun } from '../types.ts';

/** Elements whose text is not for readers. */
export const UNREADABLE_TAGS = ['script', 'style', 'textarea', 'option', 'noscript', 'xmp', 'svg', 'math', 'template'];

/** Editors nest no deeper. Malicious nesting could exhaust the stack. */
export const NESTING_LIMIT = 60;

/** In characters. Titles are shorter; the rest of malicious markup is ignored. */
const MAX_LENGTH = 20_000;

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Decodes the four characters that the sanitizer escapes. */
export const decodeEntities = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);

const stripTags = (html: string, allowedTags: string[]) =>
  sanitizeHtml(html.slice(0, MAX_LENGTH), {
    allowedTags,
    allowedAttributes: {},
    nonTextTags: UNREADABLE_TAGS,
    nestingLimit: NESTING_LIMIT,
  });

/** Skips the sanitizer without markup, as in most titles: 10,000 titles take 10 ms instead of half a second. */
const stripMarkup = (html: string) =>
  /[<>&\0]/.test(html) ? decodeEntities(stripTags(html, [])) : html.slice(0, MAX_LENGTH);

/** @returns The visible text: without markup, entities decoded, white space collapsed. */
export const plainText = (html: string): string => stripMarkup(html).replace(/\s+/g, ' ').trim();

/** Cuts a text after a word if it is longer; after a whole character if it has no spaces. */
export function cutAtWord(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/\s+\S*$|[\ud800-\udbff]$/, '')}…`;
}

/** Embeddings, overrides and isolates (UAX #9, 2.1 to 2.5), which apply until they are closed. */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;
const EMBEDDING_START = /[\u202a\u202b\u202d\u202e]/;
const ISOLATE_START = /[\u2066-\u2068]/;
const [POP_DIRECTIONAL_FORMATTING, FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE] = ['\u202c', '\u2068', '\u2069'];

/**
 * Limits the direction marks of a text to itself, so that they do not affect text next to it.
 * @returns The same text if it has no such marks; else isolated, with all marks closed and unmatched ends removed.
 */
function isolateDirection(text: string): string {
  if (!DIRECTION_CONTROL.test(text)) return text;
  const pendingEnds: string[] = [];
  let balanced = '';
  for (const character of text) {
    if (EMBEDDING_START.test(character)) pendingEnds.push(POP_DIRECTIONAL_FORMATTING);
    else if (ISOLATE_START.test(character)) pendingEnds.push(POP_DIRECTIONAL_ISOLATE);
    else if (character === POP_DIRECTIONAL_FORMATTING || character === POP_DIRECTIONAL_ISOLATE) {
      if (pendingEnds.at(-1) !== character) continue;
      pendingEnds.pop();
    }
    balanced += character;
  }
  return `${FIRST_STRONG_ISOLATE}${balanced}${pendingEnds.toReversed().join('')}${POP_DIRECTIONAL_ISOLATE}`;
}

/** Markup, entities, direction marks, and white space to collapse. */
const NEEDS_CLEANING = /[<>&\0\u202a-\u202e\u2066-\u2069]|[^\S ]| {2}|^ | $/;

/**
 * Same as `plainText` for titles, which are shown next to other text, such as the site's name, in menus and lists. Most
 * of up to 10,000 titles need no change.
 */
export const titleText = (html: string): string =>
  html.length <= MAX_LENGTH && !NEEDS_CLEANING.test(html) ? html : isolateDirection(plainText(html));

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
  const openMarks: TextRun['mark'][] = [];
  const appendText = (text: string) => {
    const mark = openMarks.at(-1) ?? null;
    const last = runs.at(-1);
    if (last?.mark === mark) last.text += text;
    else runs.push({ text, mark });
  };
  for (const [token, closing, tag] of stripTags(html, [...Object.keys(MARKS), 'br']).matchAll(
    /<(\/?)(\w+)[^>]*>|[^<]+/g,
  )) {
    if (tag === undefined) appendText(decodeEntities(token).replace(/\s+/g, ' '));
    else if (tag === 'br') appendText('\n');
    else if (closing) openMarks.pop();
    else openMarks.push(MARKS[tag] ?? null);
  }
  return trimRuns(runs);
}

/** Removes white space at both ends and around line breaks, then empty runs. */
function trimRuns(runs: TextRun[]): InlineText {
  const first = runs[0];
  const last = runs.at(-1);
  if (first) first.text = first.text.trimStart();
  if (last) last.text = last.text.trimEnd();
  for (const run of runs) run.text = run.text.replace(/ *\n */g, '\n');
  const filled = runs.filter((run) => run.text !== '');
  return filled.length === runs.length ? filled : trimRuns(filled);
}

/** @returns The paragraphs of an inline text, which empty lines separate. */
export function paragraphsOf(runs: InlineText): InlineText[] {
  const paragraphs: InlineText[] = [[]];
  for (const { text, mark } of runs)
    for (const [index, part] of text.split(/\n{2,}/).entries()) {
      if (index > 0) paragraphs.push([]);
      paragraphs.at(-1)?.push({ text: part, mark });
    }
  return paragraphs.map(trimRuns).filter((paragraph) => paragraph.length > 0);
}

/** @returns The text of a headline without marks. */
export const textOf = (runs: InlineText): string => runs.map((run) => run.text.replace(/\n/g, ' ')).join('');
