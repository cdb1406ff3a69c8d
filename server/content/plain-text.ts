import sanitizeHtml from 'sanitize-html';
import type { InlineText, TextRun } from '../../app/content/types.ts';

/** Elements whose text is never meant for a reader. */
export const UNREADABLE = ['script', 'style', 'textarea', 'option', 'noscript', 'xmp', 'svg', 'math', 'template'];

/** Deeper than any text an editor writes; keeps hostile nesting from exhausting the stack. */
export const NESTING_LIMIT = 60;

/** No title or headline is this long, in characters; hostile markup may be, and its rest is not read. */
const MAX_LENGTH = 20_000;

const ESCAPED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The sanitiser decodes every entity and escapes these four again; undone here, so that React may escape once. */
const decode = (text: string) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ESCAPED[entity] ?? entity);

const bare = (html: string, allowedTags: string[]) =>
  sanitizeHtml(html.slice(0, MAX_LENGTH), {
    allowedTags,
    allowedAttributes: {},
    nonTextTags: UNREADABLE,
    nestingLimit: NESTING_LIMIT,
  });

/** Most titles hold no markup: ten thousand of them take 10 ms instead of half a second. */
const unmarked = (html: string) => (/[<>&\0]/.test(html) ? decode(bare(html, [])) : html.slice(0, MAX_LENGTH));

/** @returns The text a reader would see: no markup, entities decoded, white space collapsed. */
export const plainText = (html: string): string => unmarked(html).replace(/\s+/g, ' ').trim();

const MARKS: Record<string, Exclude<TextRun['mark'], null>> = {
  em: 'em',
  i: 'em',
  strong: 'strong',
  b: 'strong',
  mark: 'muted',
};

/**
 * Reads a headline as runs of text.
 * @param html At most `<em>`, `<strong>`, `<mark>` (steps back) and `<br>` (a newline) mean something; the rest is read
 * as text. Of nested marks the inner one counts.
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

/** Without white space at either end and around line breaks, and without runs that hold nothing. */
function trimmed(runs: TextRun[]): InlineText {
  const first = runs[0];
  const last = runs.at(-1);
  if (first) first.text = first.text.trimStart();
  if (last) last.text = last.text.trimEnd();
  for (const run of runs) run.text = run.text.replace(/ *\n */g, '\n');
  const kept = runs.filter((run) => run.text !== '');
  return kept.length === runs.length ? kept : trimmed(kept);
}

/** @returns Inline text by its paragraphs: an empty line ends one. */
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
