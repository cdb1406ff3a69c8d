import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InlineText } from '@pillion/content/types.ts';
import type { Font, Face as HarfBuzzFace } from 'harfbuzzjs';

/** Text styles: the headline, the emphasised words in it, and the small text above it. */
export type Cut = 'display' | 'turned' | 'label';

interface Typeface {
  font: Font;
  unitsPerEm: number;
  letters: Set<number>;
  /** Added after each glyph, in em. Scripts with joined letters, such as Arabic, must have 0. */
  spacing: number;
  /** Factor on the font size, so that all typefaces look equally tall. */
  scale: number;
}

/** A grapheme: a letter with its marks, or an emoji made of several characters. */
interface Sign {
  text: string;
  face: Typeface;
  isTurned: boolean;
}

/** Outlines of one line, from 0,0 on the baseline. */
export interface Line {
  width: number;
  plain: string;
  /** Outlines of the emphasised words, which have a different colour. */
  turned: string;
}

export interface Setting {
  lines: Line[];
  size: number;
  isRightToLeft: boolean;
}

/** A font size in pixels, and how many lines are allowed at it. */
export type Step = readonly [size: number, lines: number];

export interface Typesetter {
  /**
   * Sets text in the largest of `steps` that fits, in lines of similar length. Text that fits in none is cut with `…`.
   * @returns `null` if no typeface has the script, or if there are no words.
   */
  set: (words: InlineText, cut: Cut, width: number, steps: readonly Step[]) => Setting | null;
}

/** Widths and weights of `.display` and `.kicker` on the site. */
const ARCHIVO = { display: { wdth: 125, wght: 420 }, label: { wdth: 112, wght: 560 } };

/** Typefaces for scripts that the site's typefaces lack, in the order of their use. */
const OTHERS = ['greek', 'cyrillic', 'hebrew', 'arabic', 'emoji'];

/** Joiners and variation selectors: they change other characters and have no shape. */
const INVISIBLE = /\u200c|\u200d|\ufe0e|\ufe0f/u;

const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** In UTF-16 units, more than any picture shows. The rest of a title is ignored. */
const LONGEST_RUN = 600;

/** Removes control characters and direction marks, which could change how a title reads. */
const clean = (text: string) =>
  text
    .slice(0, LONGEST_RUN)
    .normalize('NFC')
    .replace(/[^\S ]+/g, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, (sign) =>
      /[\u{e0020}-\u{e007f}]/u.test(sign) ? sign : '',
    );

/** Loads the typefaces and the shaping library. This takes about 1.4 MB and 50 ms, so it happens on first use. */
export async function createTypesetter(directory: string): Promise<Typesetter> {
  const [harfbuzz, { default: createBidi }] = await Promise.all([import('harfbuzzjs'), import('bidi-js')]);
  const bidi = createBidi();
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

  const files = new Map<string, Promise<HarfBuzzFace>>();
  const open = (file: string) => {
    const opened =
      files.get(file) ??
      readFile(join(directory, `${file}.ttf`)).then(
        (bytes) => new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(bytes))),
      );
    files.set(file, opened);
    return opened;
  };
  async function typeface(file: string, { axes = {}, spacing = 0, scale = 1 } = {}): Promise<Typeface> {
    const face = await open(file);
    const font = new harfbuzz.Font(face);
    font.setVariations(Object.entries(axes).map(([tag, value]) => new harfbuzz.Variation(tag, Number(value))));
    return { font, unitsPerEm: face.upem, letters: new Set(face.collectUnicodes()), spacing, scale };
  }
  const typefaces = (names: string[], about = {}) => Promise.all(names.map((name) => typeface(name, about)));

  const archivo = ['archivo', 'archivo-more'];
  const serif = ['instrument-serif', 'instrument-serif-more'];
  const others = await typefaces(OTHERS, { scale: 0.94 });
  const display = await typefaces(archivo, { axes: ARCHIVO.display, spacing: -0.035 });
  const faces: Record<Cut, Typeface[]> = {
    display: [...display, ...others],
    turned: [...(await typefaces(serif, { spacing: -0.02, scale: 1.24 })), ...display, ...others],
    label: [...(await typefaces(archivo, { axes: ARCHIVO.label, spacing: 0.01 })), ...others],
  };

  function faceFor(text: string, cut: Cut): Typeface | null {
    const points = [...text].filter((point) => !INVISIBLE.test(point)).map((point) => point.codePointAt(0) ?? 0);
    const has = ({ letters }: Typeface) => points.every((point) => letters.has(point));
    return (text.includes('\ufe0f') ? faces[cut].findLast(has) : faces[cut].find(has)) ?? null;
  }

  /** @returns Words as lists of signs; `null` if a word cannot be set. */
  function wordsOf(runs: InlineText, cut: Cut): Sign[][] | null {
    const words: Sign[][] = [[]];
    for (const { text, mark } of runs) {
      const isTurned = mark === 'em';
      for (const { segment } of graphemes.segment(clean(text))) {
        if (segment === ' ') words.push([]);
        else {
          const face = faceFor(segment, isTurned ? 'turned' : cut);
          if (face) words.at(-1)?.push({ text: segment, face, isTurned });
          // An emoji that no typeface has is left out. A word with a missing letter would be wrong, so nothing is set.
          else if (!PICTOGRAPH.test(segment)) return null;
        }
      }
    }
    return words.filter((word) => word.length > 0);
  }

  function glyphsOf({ font }: Typeface, text: string, isRightToLeft: boolean) {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.setDirection(isRightToLeft ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    buffer.guessSegmentProperties();
    harfbuzz.shape(font, buffer);
    return buffer.getGlyphInfosAndPositions();
  }

  /** Groups adjacent signs of one typeface and direction, which are shaped together. Returns them in visible order. */
  function runsOf(signs: Sign[], base: 'ltr' | 'rtl') {
    const { levels } = bidi.getEmbeddingLevels(signs.map(({ text }) => text).join(''), base);
    const runs: { face: Typeface; isTurned: boolean; level: number; text: string }[] = [];
    let at = 0;
    for (const { text, face, isTurned } of signs) {
      const level = levels[at] ?? 0;
      at += text.length;
      const last = runs.at(-1);
      if (last && last.face === face && last.isTurned === isTurned && last.level === level) last.text += text;
      else runs.push({ face, isTurned, level, text });
    }
    // Unicode's rule L2: from the highest level down, reverse every sequence at that level or above.
    for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
      for (let from = 0; from < runs.length; from++) {
        let to = from;
        while ((runs[to]?.level ?? -1) >= level) to++;
        if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
        from = to;
      }
    }
    return runs;
  }

  function lineOf(signs: Sign[], size: number, base: 'ltr' | 'rtl'): Line {
    const line = { width: 0, plain: '', turned: '' };
    for (const { face, isTurned, level, text } of runsOf(signs, base)) {
      const scale = (size * face.scale) / face.unitsPerEm;
      for (const { codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 } of glyphsOf(face, text, level % 2 === 1)) {
        const place = (x: number, y: number) =>
          `${(line.width + (xOffset + x) * scale).toFixed(1)} ${(-(yOffset + y) * scale).toFixed(1)}`;
        for (const { type, values } of face.font.glyphToJson(codepoint)) {
          let points = '';
          for (let i = 0; i + 1 < values.length; i += 2)
            points += `${i ? ' ' : ''}${place(values[i] ?? 0, values[i + 1] ?? 0)}`;
          line[isTurned ? 'turned' : 'plain'] += type + points;
        }
        line.width += xAdvance * scale + face.spacing * size * face.scale;
      }
    }
    return line;
  }

  const widths = new WeakMap<Sign[], number>();

  /** Width in em, measured once for all sizes. */
  function widthOf(signs: Sign[]): number {
    const width = widths.get(signs) ?? measured(signs);
    widths.set(signs, width);
    return width;
  }

  function measured(signs: Sign[]): number {
    return runsOf(signs, 'ltr').reduce((sum, { face, level, text }) => {
      const advances = glyphsOf(face, text, level % 2 === 1);
      const own = advances.reduce((total, { xAdvance = 0 }) => total + xAdvance / face.unitsPerEm + face.spacing, 0);
      return sum + own * face.scale;
    }, 0);
  }

  /** Splits a word that is wider than a line. */
  function pieces(word: Sign[], width: number): Sign[][] {
    if (widthOf(word) <= width) return [word];
    const parts: Sign[][] = [];
    let rest = word;
    while (rest.length > 0) {
      let fits = Math.max(1, Math.min(rest.length, Math.floor(width / 0.4)));
      while (fits > 1 && widthOf(rest.slice(0, fits)) > width) fits--;
      parts.push(rest.slice(0, fits));
      rest = rest.slice(fits);
    }
    return parts;
  }

  function filled(words: Measured[], space: number, width: number): Measured[][] {
    const lines: Measured[][] = [];
    let left = -1;
    for (const word of words) {
      if (word.width > left) {
        lines.push([word]);
        left = width - word.width - space;
      } else {
        lines.at(-1)?.push(word);
        left -= word.width + space;
      }
    }
    return lines;
  }

  /** Breaks into the same number of lines, of similar length. */
  function balanced(words: Measured[], space: number, width: number): Measured[][] {
    const { length } = filled(words, space, width);
    let [narrow, wide] = [0, width];
    for (let step = 0; step < 8; step++) {
      const middle = (narrow + wide) / 2;
      if (words.every((word) => word.width <= middle) && filled(words, space, middle).length <= length) wide = middle;
      else narrow = middle;
    }
    return filled(words, space, wide);
  }

  return {
    set(runs, cut, width, steps) {
      const words = wordsOf(runs, cut);
      const blank = faces[cut][0];
      if (!words || words.length === 0 || !blank) return null;
      const text = words.map((word) => word.map((sign) => sign.text).join('')).join(' ');
      const base = bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
      const gap: Sign = { text: ' ', face: blank, isTurned: false };
      const space = widthOf([gap]);
      for (const [size, most] of steps) {
        const sized = words
          .flatMap((word) => pieces(word, width / size))
          .map((signs) => ({ signs, width: widthOf(signs) }));
        const isLast = size === steps.at(-1)?.[0];
        if (!isLast && words.some((word) => widthOf(word) > width / size)) continue;
        const lines = balanced(sized, space, width / size);
        if (lines.length > most && !isLast) continue;
        const shown = lines.length > most ? shortened(lines.slice(0, most), space, width / size, blank) : lines;
        const joined = shown.map((line) => line.flatMap(({ signs }, i) => (i ? [gap, ...signs] : signs)));
        return { lines: joined.map((signs) => lineOf(signs, size, base)), size, isRightToLeft: base === 'rtl' };
      }
      return null;
    },
  };

  function shortened(lines: Measured[][], space: number, width: number, face: Typeface): Measured[][] {
    const dots = [{ text: '…', face, isTurned: false }];
    const last = [...(lines.at(-1) ?? [])];
    const lengthOf = () => last.reduce((sum, word) => sum + word.width + space, 0) + widthOf(dots);
    while (last.length > 1 && lengthOf() > width) last.pop();
    const ending = last.pop();
    if (ending) {
      let signs = ending.signs;
      while (signs.length > 1 && widthOf([...signs, ...dots]) > width) signs = signs.slice(0, -1);
      last.push({ signs: [...signs, ...dots], width: 0 });
    }
    return [...lines.slice(0, -1), last];
  }
}

interface Measured {
  signs: Sign[];
  width: number;
}
