import { basename } from 'node:path/posix';
import { channelsOf, contrast, luminance } from '@pillion/lib/contrast.mjs';
import { type FocalPoint, quarter } from '@pillion/lib/picture.ts';
import type { Picture, Problem, Section } from '../../types.ts';
import { type Rule, sectionsIn } from './rule.ts';
import { type PictureSample, SAMPLE_SIZE } from './samples.ts';

/** Fractions of a box's width and height, from its upper left corner. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Position of a picture behind text, on one kind of screen. */
interface Background {
  /** Aspect ratio (width ÷ height) of the box that the picture fills. */
  aspectRatio: number;
  /** Part of the box that the longest headline takes on a left-to-right page. */
  textBox: Box;
  /** Characters in a full line, if the text begins at the left and a short headline ends before the picture. */
  lineLength?: number;
  /** Characters and height of a line, if the text grows down from `textBox.top`. */
  lines?: { characters: number; height: number };
  /** Opacity of the cover over the picture at a point of the box, 0 to 1. */
  coverOpacity: (x: number, y: number) => number;
}

/** Aspect ratios of a window of 1440 × 900 px and a phone of 390 × 844 px. */
const LARGE = 1440 / 900;
const UPRIGHT = 390 / 844;

/** With the focal point of the picture, if it has one. */
interface PlacedBackground extends Background {
  focalPoint: FocalPoint | undefined;
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** Interpolates between stops, like a linear gradient. @param stops Position and value, ordered by position. */
function interpolate(stops: readonly (readonly [at: number, value: number])[], at: number): number {
  const next = stops.findIndex(([place]) => place >= at);
  const [to, from] = [stops[next], stops[next - 1]];
  if (!to) return stops.at(-1)?.[1] ?? 0;
  if (!from) return to[1];
  return from[1] + (to[1] - from[1]) * ((at - from[0]) / (to[0] - from[0]));
}

const HERO_GRADIENT = [
  [0, 0.55],
  [0.24, 0.2],
  [0.4, 0],
  [0.66, 0],
  [1, 0.72],
] as const;
const SIGN_UP_GRADIENT = [
  [0, 0.36],
  [0.4, 0],
  [0.66, 0],
  [1, 0.6],
] as const;

/** Mask of the statement: fades in horizontally from 12 % to 66 %, and is soft at the top and bottom. */
const statementMask = (x: number, y: number) =>
  clamp((x - 0.12) / 0.54) *
  interpolate(
    [
      [0, 0],
      [0.25, 1],
      [0.75, 1],
      [1, 0],
    ],
    y,
  );

/** Opacity of the statement's picture on phones. */
const STATEMENT_PHONE_OPACITY = 0.42;

const heroBackground = (aspectRatio: number, textBox: Box, lines: NonNullable<Background['lines']>): Background => ({
  aspectRatio,
  textBox,
  lines,
  coverOpacity: (_, y) => interpolate(HERO_GRADIENT, y),
});
const signUpBackground = (aspectRatio: number, textBox: Box): Background => ({
  aspectRatio,
  textBox,
  coverOpacity: (_, y) => interpolate(SIGN_UP_GRADIENT, y),
});

/**
 * Values of the sections' stylesheets (`view.module.css` of each, `landing.module.css` for the sign-up): change both
 * together. `tests/journeys/preview.spec.ts` compares the result with a browser's rendering. Acts are not checked,
 * since their text has a shade.
 */
const BACKGROUNDS: Partial<Record<Section['type'], { large: Background; upright: Background; hasTheme: boolean }>> = {
  hero: {
    large: heroBackground(LARGE, { left: 0.16, top: 0.2, right: 0.84, bottom: 0.5 }, { characters: 30, height: 0.1 }),
    upright: heroBackground(
      UPRIGHT,
      { left: 0.05, top: 0.2, right: 0.95, bottom: 0.5 },
      { characters: 12, height: 0.063 },
    ),
    hasTheme: false,
  },
  'sign-up': {
    large: signUpBackground(LARGE, { left: 0.04, top: 0.3, right: 0.5, bottom: 0.7 }),
    upright: signUpBackground(UPRIGHT, { left: 0.05, top: 0.14, right: 0.95, bottom: 0.45 }),
    hasTheme: false,
  },
  statement: {
    large: {
      aspectRatio: 1.6,
      textBox: { left: 0, top: 0.25, right: 0.62, bottom: 0.6 },
      lineLength: 36,
      coverOpacity: (x, y) => 1 - statementMask(x, y),
    },
    upright: {
      aspectRatio: 0.6,
      textBox: { left: 0.05, top: 0.2, right: 0.95, bottom: 0.6 },
      coverOpacity: (x, y) => 1 - STATEMENT_PHONE_OPACITY * statementMask(x, y),
    },
    hasTheme: true,
  },
};

/** Minimum contrast of large text (WCAG 2.2, 1.4.3). Headlines over pictures are larger than 24 px on every screen. */
const MIN_CONTRAST = 3;

/** Fraction of the background under the text that may have less contrast: a headline may touch a small bright spot. */
const SPARED_SHARE = 0.1;

/** Fractions of the width and height of a box or of a picture, from its upper left corner. */
interface Point {
  x: number;
  y: number;
}

/** Returns the point of a picture at a point of the box that it covers. */
function picturePointAt(picture: Picture, { aspectRatio, focalPoint }: PlacedBackground, { x, y }: Point): Point {
  const pictureRatio = picture.width / picture.height;
  const across = focalPoint ? quarter(focalPoint.x) / 4 : 0.5;
  const down = focalPoint ? quarter(focalPoint.y) / 4 : 0.5;
  // As `object-fit: cover` with the focal point as `object-position`.
  const shown = pictureRatio > aspectRatio ? aspectRatio / pictureRatio : pictureRatio / aspectRatio;
  return pictureRatio > aspectRatio
    ? { x: across * (1 - shown) + x * shown, y }
    : { x, y: down * (1 - shown) + y * shown };
}

/** The colour of a picture at one of its points: red, green and blue, from 0 to 255. */
function colourAt(sample: PictureSample, { x, y }: Point): Uint8Array {
  const cell = (share: number) => Math.min(SAMPLE_SIZE - 1, Math.floor(share * SAMPLE_SIZE));
  const start = (cell(y) * SAMPLE_SIZE + cell(x)) * 3;
  return sample.subarray(start, start + 3);
}

/** Number of points across and down at which the background is checked. */
const STEPS = 24;
const CENTRES = Array.from({ length: STEPS }, (_, step) => step + 0.5);

/** The points that are checked in a part of the box. */
const samplePointsIn = ({ left, top, right, bottom }: Box): Point[] =>
  CENTRES.flatMap((row) =>
    CENTRES.map((column) => ({
      x: left + ((right - left) * column) / STEPS,
      y: top + ((bottom - top) * row) / STEPS,
    })),
  );

/** The colour of a cover over another colour. */
const blend = (cover: readonly number[], colour: Uint8Array, opacity: number): number[] =>
  cover.map((value, channel) => value * opacity + (colour[channel] ?? 0) * (1 - opacity));

/** The lowest value after the lowest `share` of them. */
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.POSITIVE_INFINITY;

/**
 * Contrast of text with the background under it, without the worst `SPARED_SHARE`.
 * @param ink Luminance of the text.
 * @param cover Colour over the picture: red, green and blue, from 0 to 255.
 */
function contrastOver(
  picture: Picture,
  sample: PictureSample,
  background: PlacedBackground,
  ink: number,
  cover: readonly number[],
): number {
  const ratios = samplePointsIn(background.textBox).map((point) => {
    const colour = colourAt(sample, picturePointAt(picture, background, point));
    return contrast(ink, luminance(blend(cover, colour, background.coverOpacity(point.x, point.y))));
  });
  return percentile(ratios, SPARED_SHARE);
}

/** Pictures of the sections in `BACKGROUNDS`. */
interface OverPicture {
  picture?: Picture | null;
  portrait?: Picture | null;
}

/** Limits the text box to the part that this headline takes. */
function withTextBox(background: Background, headline: string): Background {
  const { left, top, right, bottom } = background.textBox;
  const filledShare = background.lineLength ? Math.min(1, headline.length / background.lineLength) : 1;
  const { characters, height } = background.lines ?? { characters: 1, height: 1 };
  const lineCount = headline
    .split('\n')
    .reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / characters)), 0);
  const size = { right: left + (right - left) * filledShare, bottom: Math.min(bottom, top + lineCount * height) };
  return { ...background, textBox: { left, top, ...size } };
}

/** Text and covers as on a right-to-left page. The site does not mirror pictures. */
const mirrored = ({ textBox: { left, right, ...rest }, coverOpacity, ...background }: Background): Background => ({
  ...background,
  textBox: { ...rest, left: 1 - right, right: 1 - left },
  coverOpacity: (x, y) => coverOpacity(1 - x, y),
});

/** A hero without a headline shows the page's title. */
const hasText = (section: Section) => section.type === 'hero' || ('heading' in section && section.heading.length > 0);

/**
 * Text over a picture with too little contrast. Reported only if the picture could be read and its position under the
 * text is known; not for videos and scenes.
 */
export const contrastLow: Rule = (draft) =>
  sectionsIn(draft).flatMap(({ section, block }): Problem[] => {
    const backgrounds = BACKGROUNDS[section.type];
    if (!backgrounds || !hasText(section)) return [];
    const { picture = null, portrait = null } = section as OverPicture;
    const heading = 'heading' in section ? section.heading.map(({ text }) => text).join('') : '';
    const headline = heading || draft.page.title;
    const theme = backgrounds.hasTheme ? draft.page.theme : 'dark';
    const cover = channelsOf(backgrounds.hasTheme ? draft.palette[theme].background : draft.palette.veil);
    const low = [
      { shown: picture, background: backgrounds.large },
      { shown: portrait ?? picture, background: backgrounds.upright },
    ].flatMap(({ shown, background }) => {
      const sample = shown && draft.samples.get(shown.src);
      if (!shown || !sample) return [];
      const ink = luminance(channelsOf(draft.palette[theme].text));
      // The portrait is a crop and has the focal point of the picture, as on the site.
      const box = withTextBox(background, headline);
      const placed = { ...(draft.dir === 'rtl' ? mirrored(box) : box), focalPoint: picture?.focalPoint };
      const ratio = contrastOver(shown, sample, placed, ink, cover);
      return ratio < MIN_CONTRAST ? [{ file: basename(shown.src), ratio }] : [];
    });
    const [worst] = low.toSorted((a, b) => a.ratio - b.ratio);
    // Rounded down, so that 2.97 does not read as 3.
    return worst
      ? [
          {
            block,
            kind: 'contrast-low',
            values: { file: worst.file, ratio: Math.floor(worst.ratio * 10) / 10, asked: MIN_CONTRAST },
          },
        ]
      : [];
  });
