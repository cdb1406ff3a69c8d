import type { Picture, Problem, Section } from '../../types.ts';
import { type Rule, sectionsIn } from './rule.ts';
import { type PictureSample, SAMPLE_SIZE } from './samples.ts';

/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

/** Shares of a box's width and height, from its upper left corner. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How a picture lies behind words, on one kind of screen. */
interface Ground {
  /** Width of the box that the picture fills, for each pixel of its height. */
  shape: number;
  /** Which part of a picture stays that is too high for its box: 0 its top, 1 its foot. */
  keeps: number;
  /** Where in that box the words stand: the most that a headline takes. */
  words: Box;
  /** Characters that fill a line of them, where they begin at the left and a short headline ends before the picture. */
  line?: number;
  /** How they grow down from `words.top`, where a short headline leaves the rest of the picture alone. */
  lines?: { characters: number; height: number };
  /** How much of the picture is covered at a place of the box: 0 nothing, 1 all. */
  cover: (x: number, y: number) => number;
}

/** A window of 1440 × 900, and a phone of 390 × 844. */
const LARGE = 1440 / 900;
const UPRIGHT = 390 / 844;

const within = (value: number) => Math.min(1, Math.max(0, value));

/** A value between stops, as a linear gradient has it. @param stops Place and value, in the order of their places. */
function between(stops: readonly (readonly [at: number, value: number])[], at: number): number {
  const next = stops.findIndex(([place]) => place >= at);
  const [to = [1, 0], from = to] = [stops[next < 0 ? stops.length - 1 : next], stops[next - 1]];
  return to[0] === from[0] ? to[1] : from[1] + (to[1] - from[1]) * within((at - from[0]) / (to[0] - from[0]));
}

const HERO = [
  [0, 0.55],
  [0.24, 0.2],
  [0.4, 0],
  [0.66, 0],
  [1, 0.72],
] as const;
const NIGHT = [
  [0, 0.36],
  [0.4, 0],
  [0.66, 0],
  [1, 0.6],
] as const;

/** The statement's mask: across from 12 % to 66 %, and soft at both its edges. */
const statementShows = (x: number, y: number) =>
  within((x - 0.12) / 0.54) *
  between(
    [
      [0, 0],
      [0.25, 1],
      [0.75, 1],
      [1, 0],
    ],
    y,
  );

/** On a phone the statement's picture shows through so much. */
const STATEMENT_ON_PHONES = 0.42;

const hero = (shape: number, words: Box, lines: NonNullable<Ground['lines']>): Ground => ({
  ...{ shape, keeps: 0.8, words, lines },
  cover: (_, y) => between(HERO, y),
});
const night = (shape: number, words: Box): Ground => ({ shape, keeps: 0.5, words, cover: (_, y) => between(NIGHT, y) });

/**
 * As the sections' stylesheets have it (`view.module.css` of each, `landing.module.css` for the sign-up): what is changed
 * there is changed here. `tests/journeys/preview.spec.ts` compares the verdict with what a browser draws. The words of acts
 * bring a shade of their own and are not judged.
 */
const GROUNDS: Partial<Record<Section['type'], { large: Ground; upright: Ground; hasTheme: boolean }>> = {
  hero: {
    large: hero(LARGE, { left: 0.16, top: 0.2, right: 0.84, bottom: 0.5 }, { characters: 30, height: 0.1 }),
    upright: hero(UPRIGHT, { left: 0.05, top: 0.2, right: 0.95, bottom: 0.5 }, { characters: 12, height: 0.063 }),
    hasTheme: false,
  },
  'sign-up': {
    large: night(LARGE, { left: 0.04, top: 0.3, right: 0.5, bottom: 0.7 }),
    upright: night(UPRIGHT, { left: 0.05, top: 0.14, right: 0.95, bottom: 0.45 }),
    hasTheme: false,
  },
  statement: {
    large: {
      ...{ shape: 1.6, keeps: 0.5, words: { left: 0, top: 0.25, right: 0.62, bottom: 0.6 }, line: 36 },
      cover: (x, y) => 1 - statementShows(x, y),
    },
    upright: {
      ...{ shape: 0.6, keeps: 0.5, words: { left: 0.05, top: 0.2, right: 0.95, bottom: 0.6 } },
      cover: (x, y) => 1 - STATEMENT_ON_PHONES * statementShows(x, y),
    },
    hasTheme: true,
  },
};

/** What WCAG 2.2 asks of large text (1.4.3): headlines over pictures are larger than 24 px on every screen. */
const ASKED = 3;

/** The share of the ground under the words that may be worse: a headline may touch a small bright spot. */
const SPARED = 0.1;

/** Relative luminance (WCAG 2.2), from 0 to 1. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const colourOf = (hex: string): Colour => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;

/** Where a place of the box lies in a picture that fills it, its longer side cut: shares of the picture. */
function placeIn({ width, height }: Picture, { shape, keeps }: Ground, x: number, y: number): [x: number, y: number] {
  const own = width / height;
  // Too wide: cut at both sides alike. Too high: cut above and below.
  if (own > shape) return [0.5 + (x - 0.5) * (shape / own), y];
  const shown = own / shape;
  return [x, keeps * (1 - shown) + y * shown];
}

/** Steps across and down in which the ground under the words is looked at. */
const STEPS = 24;

/** The contrast of words with the ground under them, but for the worst `SPARED`. @param ink Luminance of the words. */
function contrastOver(picture: Picture, sample: PictureSample, ground: Ground, ink: number, veil: Colour): number {
  const { left, top, right, bottom } = ground.words;
  const ratios: number[] = [];
  for (let row = 0; row < STEPS; row += 1)
    for (let column = 0; column < STEPS; column += 1) {
      const x = left + ((right - left) * (column + 0.5)) / STEPS;
      const y = top + ((bottom - top) * (row + 0.5)) / STEPS;
      const [along, down] = placeIn(picture, ground, x, y);
      const cell = (share: number) => Math.min(SAMPLE_SIZE - 1, Math.floor(share * SAMPLE_SIZE));
      const at = (cell(down) * SAMPLE_SIZE + cell(along)) * 3;
      const covered = ground.cover(x, y);
      const behind = veil.map((over, channel) => over * covered + (sample[at + channel] ?? 0) * (1 - covered));
      ratios.push(contrast(ink, luminance(behind as unknown as Colour)));
    }
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length * SPARED)] ?? Number.POSITIVE_INFINITY;
}

interface OverPicture {
  picture?: Picture | null;
  portrait?: Picture | null;
}

/** The ground under a headline. */
const under = (ground: Ground, headline: string): Ground => {
  const { left, top, right, bottom } = ground.words;
  const filled = ground.line ? Math.min(1, headline.length / ground.line) : 1;
  const { characters, height } = ground.lines ?? { characters: 1, height: 1 };
  const lines = headline.split('\n').reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / characters)), 0);
  const words = { left, top, right: left + (right - left) * filled, bottom: Math.min(bottom, top + lines * height) };
  return { ...ground, words };
};

/** A hero without a headline shows the page's title. */
const hasWords = (section: Section) => section.type === 'hero' || ('heading' in section && section.heading.length > 0);

/**
 * Words over a picture that is too much like them in brightness. Told where the picture could be had and the site knows how
 * it lies under the words; of a picture that moves or is drawn nothing is known.
 */
export const contrastLow: Rule = (looked) =>
  sectionsIn(looked).flatMap(({ section, block }): Problem[] => {
    const about = GROUNDS[section.type];
    if (!about || !hasWords(section)) return [];
    const { picture = null, portrait = null } = section as OverPicture;
    const heading = 'heading' in section ? section.heading.map(({ text }) => text).join('') : '';
    const headline = heading || looked.page.title;
    const theme = about.hasTheme ? looked.page.theme : 'dark';
    const veil = colourOf(about.hasTheme ? looked.palette[theme].background : looked.palette.veil);
    const low = [
      { shown: picture, ground: about.large },
      { shown: portrait ?? picture, ground: about.upright },
    ].flatMap(({ shown, ground }) => {
      const sample = shown && looked.samples.get(shown.src);
      if (!shown || !sample) return [];
      const ink = luminance(colourOf(looked.palette[theme].text));
      const ratio = contrastOver(shown, sample, under(ground, headline), ink, veil);
      return ratio < ASKED ? [{ file: shown.src.split('/').at(-1) ?? '', ratio }] : [];
    });
    const [worst] = low.toSorted((a, b) => a.ratio - b.ratio);
    // Cut and not rounded: 2.97 is less than what is asked.
    return worst
      ? [
          {
            block,
            kind: 'contrast-low',
            values: { file: worst.file, ratio: Math.floor(worst.ratio * 10) / 10, asked: ASKED },
          },
        ]
      : [];
  });
