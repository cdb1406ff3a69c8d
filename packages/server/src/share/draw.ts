import { type Card, SHARE_SIZE } from '@pillion/content/pages/share-card.ts';
import { NEUTRAL_PALETTE, type Palette } from '@pillion/content/palette.ts';
import type { Look } from '@pillion/content/theme.ts';
import type { Theme } from '@pillion/content/types.ts';
import type { FocalPoint, Picture } from '@pillion/lib/picture.ts';
import { loadSharp, openRaster } from '@pillion/lib/raster.ts';
import type { Sharp } from 'sharp';
import type { Setting, Step, Typesetter } from './type.ts';
import type { ShareTypefaces } from './typefaces.ts';

/** How the brand's share pictures look. */
export interface ShareLook {
  /** The colours with what editors have changed in them. */
  paletteOf: (look: Look | undefined) => Palette;
  /** Default: neutral. */
  typefaces?: ShareTypefaces | undefined;
  /** Background for pages without a picture: SVG elements, 1200 × 630. */
  ground?: Record<Theme, string> | undefined;
}

/** Between the edges of the picture and the text, in pixels. */
const MARGIN = 72;
/** In pixels. Its middle is that of the capitals of the brand's name, which takes its place in brands without a logo. */
const LOGO_BOX = { top: MARGIN - 6, width: 250, height: 36 };
const NAME_BASELINE = MARGIN + 26;
const NAME_WIDTH = 480;
const KICKER_SIZE = 29;
/** In pixels, between the small text and the top of the title's capitals. */
const KICKER_GAP = 30;
/** Height of capitals, in em. */
const CAPITAL_HEIGHT = 0.7;
/** Room below the last baseline of the title, in em. */
const TITLE_DESCENT = 0.1;

/** Sizes of the title. A long title gets smaller before it is cut. */
const TITLE_STEPS: readonly Step[] = [
  [104, 1],
  [92, 2],
  [78, 3],
  [66, 3],
  [56, 4],
  [48, 5],
];
/** Distance of the title's baselines, in em. */
const LINE_HEIGHT = 1.08;

/** Sizes of the brand's name, for brands without a logo. */
const NAME_STEPS: readonly Step[] = [
  [42, 1],
  [30, 1],
];

const gradientStop = (at: number, colour: string, opacity = 1) =>
  `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`;

/** Darkens the picture under the text: at the bottom, at the side where lines begin, and a little under the logo. */
const drawShade = (ground: string, isRightToLeft: boolean) =>
  '<defs><linearGradient id="up" x2="0" y2="1">' +
  `${gradientStop(0, ground, 0.55)}${gradientStop(0.24, ground, 0.08)}${gradientStop(0.42, ground, 0.1)}${gradientStop(0.72, ground, 0.56)}${gradientStop(1, ground, 0.84)}</linearGradient>` +
  `<linearGradient id="side" ${isRightToLeft ? 'x1="1" x2="0"' : ''}>${gradientStop(0, ground, 0.5)}${gradientStop(0.62, ground, 0)}</linearGradient></defs>` +
  '<rect width="1200" height="630" fill="url(#up)"/><rect width="1200" height="630" fill="url(#side)"/>';

interface Block {
  setting: Setting;
  /** Of the first line, in pixels from the top. */
  baseline: number;
  /** Distance of the baselines, in pixels. */
  leading: number;
}

/** Draws lines as shapes, from the left edge or, in scripts from right to left, from the right edge. */
function drawLines({ setting, baseline, leading }: Block, colour: string, emphasisColour: string): string {
  return setting.lines
    .map((line, i) => {
      const x = setting.isRightToLeft ? SHARE_SIZE.width - MARGIN - line.width : MARGIN;
      const drawPath = (path: string, fill: string) => (path ? `<path fill="${fill}" d="${path}"/>` : '');
      const transform = `translate(${x.toFixed(1)} ${(baseline + i * leading).toFixed(1)})`;
      return `<g transform="${transform}">${drawPath(line.plain, colour)}${drawPath(line.emphasis, emphasisColour)}</g>`;
    })
    .join('');
}

/** Fits the logo into its box. The sanitiser has removed everything but shapes. @returns `''` without a usable viewBox. */
function placeLogo(logo: string, colour: string, isRightToLeft: boolean): string {
  const [, , width = 0, height = 0] = (/viewBox="([^"]+)"/.exec(logo)?.[1] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0)) return '';
  const scale = Math.min(LOGO_BOX.width / width, LOGO_BOX.height / height);
  const x = isRightToLeft ? SHARE_SIZE.width - MARGIN - width * scale : MARGIN;
  const box = `x="${x}" y="${LOGO_BOX.top}" width="${width * scale}" height="${height * scale}" color="${colour}" `;
  return logo.replace(
    /^<svg ([^>]*)>/,
    // Replaces the size of the logo, but not its `stroke-width`.
    (_, attributes: string) => `<svg ${box}${attributes.replace(/(?<![\w-])(?:x|y|width|height)="[^"]*"/g, '')}>`,
  );
}

/**
 * Draws everything over the background as shapes. There is no text in the SVG, so that no title can break out of it.
 * @param isOverPicture Whether there is a picture. Text over it has the colours of the dark theme on all pages.
 */
function drawOverlay(
  card: Card,
  isOverPicture: boolean,
  typesetter: Typesetter,
  { paletteOf, ground }: ShareLook,
): string {
  const theme = isOverPicture ? 'dark' : card.theme;
  const palette = paletteOf(card.look);
  const colours = palette[theme];
  // The site's background has the colours of the theme file, so it is left out if editors have changed them.
  const hasChangedColours = JSON.stringify(colours) !== JSON.stringify(paletteOf(undefined)[theme]);
  const width = SHARE_SIZE.width - 2 * MARGIN;
  const title = typesetter.setText(card.title, 'display', width, TITLE_STEPS);
  const isRightToLeft = title?.isRightToLeft ?? false;
  const background = isOverPicture
    ? drawShade(palette.dark.background, isRightToLeft)
    : hasChangedColours
      ? ''
      : (ground?.[theme] ?? '');
  const titleSize = title?.size ?? 0;
  const leading = titleSize * LINE_HEIGHT;
  const heightBelow = title ? titleSize * TITLE_DESCENT + (title.lines.length - 1) * leading : 0;
  const titleBaseline = SHARE_SIZE.height - MARGIN - heightBelow;
  const kickerBaseline = titleBaseline - titleSize * CAPITAL_HEIGHT - KICKER_GAP;
  const plain = (text: string) => [{ text, mark: null }];
  const kicker =
    card.kicker && title ? typesetter.setText(plain(card.kicker), 'label', width, [[KICKER_SIZE, 1]]) : null;
  const name = card.logo ? null : typesetter.setText(plain(card.brand), 'display', NAME_WIDTH, NAME_STEPS);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_SIZE.width}" height="${SHARE_SIZE.height}">`,
    background,
    card.logo ? placeLogo(card.logo, colours.text, isRightToLeft) : '',
    name ? drawLines({ setting: name, baseline: NAME_BASELINE, leading: 0 }, colours.text, colours.text) : '',
    kicker ? drawLines({ setting: kicker, baseline: kickerBaseline, leading: 0 }, colours.accent, colours.accent) : '',
    title ? drawLines({ setting: title, baseline: titleBaseline, leading }, colours.text, colours.accent2) : '',
    '</svg>',
  ].join('');
}

/** Crops as `object-fit: cover` does with the focal point as `object-position`. */
function cropAround(raster: Sharp, { width, height }: Picture, { x, y }: FocalPoint): Sharp {
  const scale = Math.max(SHARE_SIZE.width / width, SHARE_SIZE.height / height);
  const [wide, high] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const left = Math.round((wide - SHARE_SIZE.width) * x);
  const top = Math.round((high - SHARE_SIZE.height) * y);
  return raster.resize(wide, high, { fit: 'fill' }).extract({ left, top, ...SHARE_SIZE });
}

/**
 * Draws the picture that social networks show with a link.
 * @param file The picture under the text, from the media library; `null`: none.
 * @returns A JPEG, which every social network accepts. The thread pool draws it; the event loop only sets the text.
 * @throws If the file is not a picture, or this machine has no build of the drawing library.
 */
export async function drawSharePicture(
  card: Card,
  file: Uint8Array | null,
  typesetter: Typesetter,
  look: ShareLook = { paletteOf: () => NEUTRAL_PALETTE },
): Promise<Buffer> {
  const sharp = await loadSharp();
  const palette = look.paletteOf(card.look);
  const renderOverlay = () => Buffer.from(drawOverlay(card, file !== null, typesetter, look));
  const jpegOptions = { quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true };
  if (file === null)
    return sharp(renderOverlay()).flatten({ background: palette[card.theme].background }).jpeg(jpegOptions).toBuffer();
  const raster = await openRaster(file, card.picture?.src ?? 'the picture');
  const { width, height } = SHARE_SIZE;
  const cropped = card.picture?.focalPoint
    ? cropAround(raster, card.picture, card.picture.focalPoint)
    : raster.resize(width, height, { fit: 'cover', position: card.isChosen ? 'centre' : 'attention' });
  const picture = cropped.flatten({ background: palette.dark.background });
  // A picture that an editor chose for sharing has no words over it.
  return (card.isChosen ? picture : picture.composite([{ input: renderOverlay() }])).jpeg(jpegOptions).toBuffer();
}
