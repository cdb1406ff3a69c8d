import type { InlineText } from '@pillion/content/types.ts';
import { type Line, Shaper, type Sign } from './shaper.ts';
import { loadTypefaces, NEUTRAL_TYPEFACES, type ShareTypefaces, type TextStyle, type Typeface } from './typefaces.ts';

/** Text set in lines. */
export interface Setting {
  lines: Line[];
  /** Of the font, in pixels. */
  size: number;
  isRightToLeft: boolean;
}

/** A font size in pixels, and how many lines are allowed at it. */
export type Step = readonly [size: number, lines: number];

/** Joiners and variation selectors: they change other characters and have no shape. */
const INVISIBLE = /\u200c|\u200d|\ufe0e|\ufe0f/u;

const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** In UTF-16 units, more than any picture shows. The rest of a title is ignored. */
const MAX_RUN_LENGTH = 600;

/** Removes control characters and direction marks, which could change how a title reads. */
const cleanText = (text: string) =>
  text
    .slice(0, MAX_RUN_LENGTH)
    .normalize('NFC')
    .replace(/[^\S ]+/g, ' ')
    // The tag characters (U+E0020 to U+E007F) are parts of flags, such as that of Scotland.
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, (sign) =>
      /[\u{e0020}-\u{e007f}]/u.test(sign) ? sign : '',
    );

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A word with its width in em. */
interface Word {
  signs: Sign[];
  width: number;
}

/** Breaks words into lines of at most `width` em. @param spaceWidth In em. */
function breakLines(words: readonly Word[], spaceWidth: number, width: number): Word[][] {
  const lines: Word[][] = [];
  let roomLeft = -1;
  for (const word of words) {
    if (word.width > roomLeft) {
      lines.push([word]);
      roomLeft = width - word.width - spaceWidth;
    } else {
      lines.at(-1)?.push(word);
      roomLeft -= word.width + spaceWidth;
    }
  }
  return lines;
}

/** Breaks into as few lines as `breakLines`, but of similar length: bisects for the smallest width that needs no more. */
function breakBalanced(words: readonly Word[], spaceWidth: number, width: number): Word[][] {
  const fewest = breakLines(words, spaceWidth, width).length;
  const fits = (lineWidth: number) =>
    words.every((word) => word.width <= lineWidth) && breakLines(words, spaceWidth, lineWidth).length <= fewest;
  let [tooNarrow, wide] = [0, width];
  for (let step = 0; step < 8; step++) {
    const middle = (tooNarrow + wide) / 2;
    if (fits(middle)) wide = middle;
    else tooNarrow = middle;
  }
  return breakLines(words, spaceWidth, wide);
}

/** Sets text as outlines. */
export class Typesetter {
  private readonly faces: Record<TextStyle, Typeface[]>;
  private readonly shaper: Shaper;

  constructor(faces: Record<TextStyle, Typeface[]>, shaper: Shaper) {
    this.faces = faces;
    this.shaper = shaper;
  }

  /**
   * Sets text in the largest of `steps` that fits, in lines of similar length. Text that fits in none is cut with `…`.
   * @param width In pixels.
   * @returns `null` if no typeface has the script, or if there are no words.
   */
  setText(runs: InlineText, style: TextStyle, width: number, steps: readonly Step[]): Setting | null {
    const words = this.splitWords(runs, style);
    const face = this.faces[style][0];
    if (!words || words.length === 0 || !face) return null;
    const space: Sign = { text: ' ', face, isEmphasis: false };
    for (const step of steps) {
      const [size] = step;
      const lines = this.breakAtSize(step, words, space, width / size, step === steps.at(-1));
      if (!lines) continue;
      const direction = this.shaper.directionOf(words.map((word) => word.map(({ text }) => text).join('')).join(' '));
      return {
        lines: lines
          .map((line) => line.flatMap(({ signs }, i) => (i ? [space, ...signs] : signs)))
          .map((signs) => this.shaper.shapeLine(signs, size, direction)),
        size,
        isRightToLeft: direction === 'rtl',
      };
    }
    return null;
  }

  /**
   * @param width In em.
   * @param isLast Whether this is the smallest size: text that does not fit is cut.
   * @returns `null` if the words do not fit at this size and a smaller one is left.
   */
  private breakAtSize(
    [, maxLines]: Step,
    words: Sign[][],
    space: Sign,
    width: number,
    isLast: boolean,
  ): Word[][] | null {
    if (!isLast && words.some((word) => this.shaper.widthOf(word) > width)) return null;
    const spaceWidth = this.shaper.widthOf([space]);
    const measured = words
      .flatMap((word) => this.splitWord(word, width))
      .map((signs) => ({ signs, width: this.shaper.widthOf(signs) }));
    const lines = breakBalanced(measured, spaceWidth, width);
    if (lines.length <= maxLines) return lines;
    return isLast ? this.shortenLastLine(lines.slice(0, maxLines), space, spaceWidth, width) : null;
  }

  /** @returns The first typeface with all characters of a grapheme. `null`: none has them. */
  private findTypeface(grapheme: string, style: TextStyle): Typeface | null {
    const points = [...grapheme].filter((point) => !INVISIBLE.test(point)).map((point) => point.codePointAt(0) ?? 0);
    const has = ({ letters }: Typeface) => points.every((point) => letters.has(point));
    const faces = this.faces[style];
    // U+FE0F asks for the picture of a character that also exists as a letter. The emoji are the last typeface.
    return (grapheme.includes('\ufe0f') ? faces.findLast(has) : faces.find(has)) ?? null;
  }

  /** @returns Words as lists of signs; `null` if a word cannot be set. */
  private splitWords(runs: InlineText, style: TextStyle): Sign[][] | null {
    const words: Sign[][] = [[]];
    for (const { text, mark } of runs) {
      const isEmphasis = mark === 'em';
      for (const { segment } of graphemes.segment(cleanText(text))) {
        if (segment === ' ') words.push([]);
        else {
          const face = this.findTypeface(segment, isEmphasis ? 'emphasis' : style);
          if (face) words.at(-1)?.push({ text: segment, face, isEmphasis });
          // An emoji that no typeface has is left out. A word with a missing letter would be wrong, so nothing is set.
          else if (!PICTOGRAPH.test(segment)) return null;
        }
      }
    }
    return words.filter((word) => word.length > 0);
  }

  /** Splits a word that is wider than a line. */
  private splitWord(word: Sign[], width: number): Sign[][] {
    if (this.shaper.widthOf(word) <= width) return [word];
    const parts: Sign[][] = [];
    let rest = word;
    while (rest.length > 0) {
      // Starts with as many signs as fit at 0.4 em each, so that few parts are measured.
      let count = Math.max(1, Math.min(rest.length, Math.floor(width / 0.4)));
      while (count > 1 && this.shaper.widthOf(rest.slice(0, count)) > width) count--;
      parts.push(rest.slice(0, count));
      rest = rest.slice(count);
    }
    return parts;
  }

  /**
   * Ends the last line with `…`. Removes words until it fits, and then signs if a single word is too wide.
   * @param space Its typeface is that of the `…`.
   * @param spaceWidth In em, like `width`.
   */
  private shortenLastLine(lines: Word[][], space: Sign, spaceWidth: number, width: number): Word[][] {
    const ellipsis = [{ ...space, text: '…' }];
    const last = [...(lines.at(-1) ?? [])];
    const measureLast = () =>
      last.reduce((sum, word) => sum + word.width + spaceWidth, 0) + this.shaper.widthOf(ellipsis);
    while (last.length > 1 && measureLast() > width) last.pop();
    const lastWord = last.pop();
    if (lastWord) {
      let { signs } = lastWord;
      while (signs.length > 1 && this.shaper.widthOf([...signs, ...ellipsis]) > width) signs = signs.slice(0, -1);
      // The lines are final, so this width is not used.
      last.push({ signs: [...signs, ...ellipsis], width: 0 });
    }
    return [...lines.slice(0, -1), last];
  }
}

/** Loads the typefaces and the shaping library. This takes about 1.4 MB and 50 ms, so it happens on first use. */
export async function createTypesetter(typefaces: ShareTypefaces = NEUTRAL_TYPEFACES): Promise<Typesetter> {
  const [harfbuzz, { default: createBidi }] = await Promise.all([import('harfbuzzjs'), import('bidi-js')]);
  return new Typesetter(await loadTypefaces(harfbuzz, typefaces), new Shaper(harfbuzz, createBidi()));
}
