import sanitizeHtml from 'sanitize-html';
import type { InlineText, TextRun } from '../types.ts';

/** Elements whose text nobody is meant to read. */
export const UNREADABLE = ['script', 'style', 'textarea', 'option', 'noscript', 'xmp', 'svg', 'math', 'template'];

/** No editor nests elements deeper. Hostile nesting could exhaust the stack. */
export const NESTING_LIMIT = 60;

/** In characters. No title is so long; hostile markup may be, and its rest is ignored. */
const MAX_LENGTH = 20_000;

const ESCAPED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The sanitiser leaves these four characters escaped. React escapes too, so they are decoded first. */
const decode = (text: string) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ESCAPED[entity] ?? entity);

const bare = (html: string, allowedTags: string[]) =>
  sanitizeHtml(html.slice(0, MAX_LENGTH), {
    allowedTags,
    allowedAttributes: {},
    nonTextTags: UNREADABLE,
    nestingLimit: NESTING_LIMIT,
  });

/** Skips the sanitiser where there is no markup, as in most titles: ten thousand then take 10 ms, not half a second. */
const unmarked = (html: string) => (/[<>&\0]/.test(html) ? decode(bare(html, [])) : html.slice(0, MAX_LENGTH));

/** @returns The text a reader would see: no markup, entities decoded, white space collapsed. */
export const plainText = (html: string): string => unmarked(html).replace(/\s+/g, ' ').trim();

/** Embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX #9, 2.1 to 2.5): they last until they are closed. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const OPENS_EMBEDDING = /[\u202a\u202b\u202d\u202e]/;
const OPENS_ISOLATE = /[\u2066-\u2068]/;
const [END_OF_EMBEDDING, FIRST_STRONG_ISOLATE, END_OF_ISOLATE] = ['\u202c', '\u2068', '\u2069'];

/**
 * A text whose marks of direction end with it, so that they cannot turn what stands beside it.
 * @returns Without such marks the text as it is; else isolated, with each mark closed and no end without a beginning.
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

/** Markup, entities, marks of direction, and white space that would be collapsed. */
const WORKED_ON = /[<>&\0\u202a-\u202e\u2066-\u2069]|[^\S ]| {2}|^ | $/;

/**
 * The same for a title, which stands among other words: beside the site's name, in menus, lists and results. Most have
 * nothing to work on, and there may be ten thousand.
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
 * @param html Only `<em>`, `<strong>`, `<mark>` (steps back) and `<br>` (a newline) have a meaning. Of any other element
 * the text is kept. Of nested marks the inner one counts.
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

/** Removes white space at both ends and around line breaks, and then empty runs. */
function trimmed(runs: TextRun[]): InlineText {
  const first = runs[0];
  const last = runs.at(-1);
  if (first) first.text = first.text.trimStart();
  if (last) last.text = last.text.trimEnd();
  for (const run of runs) run.text = run.text.replace(/ *\n */g, '\n');
  const kept = runs.filter((run) => run.text !== '');
  return kept.length === runs.length ? kept : trimmed(kept);
}

/** @returns The paragraphs of an inline text: an empty line ends one. */
export function paragraphsOf(runs: InlineText): InlineText[] {
  const paragraphs: InlineText[] = [[]];
  for (const { text, mark } of runs)
    for (const [index, part] of text.split(/\n{2,}/).entries()) {
      if (index > 0) paragraphs.push([]);
      paragraphs.at(-1)?.push({ text: part, mark });
    }
  return paragraphs.map(trimmed).filter((paragraph) => paragraph.length > 0);
}

/** @returns The words of a headline without its marks. */
export const textOf = (runs: InlineText): string => runs.map((run) => run.text.replace(/\n/g, ' ')).join('');
