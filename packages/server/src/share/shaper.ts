import type createBidi from 'bidi-js';
import type { Typeface } from './typefaces.ts';

/** A grapheme: a letter with its marks, or an emoji made of several characters. */
export interface Sign {
  text: string;
  face: Typeface;
  isEmphasis: boolean;
}

/** Outlines of one line as SVG paths, from 0,0 on the baseline. */
export interface Line {
  /** In pixels. */
  width: number;
  plain: string;
  /** Outlines of the emphasised words, which have a different colour. */
  emphasis: string;
}

export type Direction = 'ltr' | 'rtl';

/** Adjacent signs of one typeface and direction, which are shaped together. */
interface Run {
  face: Typeface;
  isEmphasis: boolean;
  /** Level of Unicode's bidirectional algorithm. Odd levels are set from right to left. */
  level: number;
  text: string;
}

/** Unicode's rule L2 (UAX #9): from the highest level down, reverses every sequence at that level or above. */
function reorderRuns(runs: Run[]): void {
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < runs.length; from++) {
      let to = from;
      while ((runs[to]?.level ?? -1) >= level) to++;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = to;
    }
  }
}

/** Turns signs into glyphs: their widths and outlines. */
export class Shaper {
  /** Widths in em, measured once for all sizes. */
  private readonly widths = new WeakMap<Sign[], number>();

  private readonly harfbuzz: typeof import('harfbuzzjs');
  private readonly bidi: ReturnType<typeof createBidi>;

  constructor(harfbuzz: typeof import('harfbuzzjs'), bidi: ReturnType<typeof createBidi>) {
    this.harfbuzz = harfbuzz;
    this.bidi = bidi;
  }

  directionOf(text: string): Direction {
    return this.bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
  }

  /** @returns Width in em. */
  widthOf(signs: Sign[]): number {
    const width = this.widths.get(signs) ?? this.measureWidth(signs);
    this.widths.set(signs, width);
    return width;
  }

  /** @param size In pixels. */
  shapeLine(signs: Sign[], size: number, direction: Direction): Line {
    const line = { width: 0, plain: '', emphasis: '' };
    for (const run of this.splitRuns(signs, direction)) {
      const { face, isEmphasis } = run;
      const scale = (size * face.scale) / face.unitsPerEm;
      for (const { codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 } of this.shapeRun(run)) {
        /** A point of the glyph as pixels of the line. The y axis of SVG points down. */
        const toPixels = (x: number, y: number) =>
          `${(line.width + (xOffset + x) * scale).toFixed(1)} ${(-(yOffset + y) * scale).toFixed(1)}`;
        for (const { type, values } of face.font.glyphToJson(codepoint)) {
          let points = '';
          for (let i = 0; i + 1 < values.length; i += 2)
            points += `${i ? ' ' : ''}${toPixels(values[i] ?? 0, values[i + 1] ?? 0)}`;
          line[isEmphasis ? 'emphasis' : 'plain'] += type + points;
        }
        line.width += xAdvance * scale + face.spacing * size * face.scale;
      }
    }
    return line;
  }

  /** @returns Width in em. It is the same in both directions, which only change the order of the runs. */
  private measureWidth(signs: Sign[]): number {
    return this.splitRuns(signs, 'ltr').reduce((sum, run) => {
      const { unitsPerEm, spacing, scale } = run.face;
      const widths = this.shapeRun(run).map(({ xAdvance = 0 }) => xAdvance / unitsPerEm + spacing);
      return sum + widths.reduce((total, width) => total + width, 0) * scale;
    }, 0);
  }

  /** @returns Runs in visible order, from left to right. */
  private splitRuns(signs: Sign[], direction: Direction): Run[] {
    const { levels } = this.bidi.getEmbeddingLevels(signs.map(({ text }) => text).join(''), direction);
    const runs: Run[] = [];
    let offset = 0;
    for (const { text, face, isEmphasis } of signs) {
      const level = levels[offset] ?? 0;
      offset += text.length;
      const last = runs.at(-1);
      if (last && last.face === face && last.isEmphasis === isEmphasis && last.level === level) last.text += text;
      else runs.push({ face, isEmphasis, level, text });
    }
    reorderRuns(runs);
    return runs;
  }

  private shapeRun({ face, level, text }: Run) {
    const { Buffer, Direction, shape } = this.harfbuzz;
    const buffer = new Buffer();
    buffer.addText(text);
    buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR);
    buffer.guessSegmentProperties();
    shape(face.font, buffer);
    return buffer.getGlyphInfosAndPositions();
  }
}
