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

const MARGIN = 72;
/** Its middle is the middle of the capitals of the brand's name, which is there without a logo. */
const LOGO_BOX = { top: MARGIN - 6, width: 250, height: 36 };
const NAME_BASELINE = MARGIN + 26;
const KICKER_SIZE = 29;
/** In pixels, between the small text and the top of the headline's capitals. Capitals are 0.7 em high. */
const KICKER_GAP = 30;

/** Sizes of the title. A long title gets smaller before it is cut. */
const TITLE_STEPS: readonly Step[] = [
  [104, 1],
  [92, 2],
  [78, 3],
  [66, 3],
  [56, 4],
  [48, 5],
];
const LINE_HEIGHT = 1.08;

/** Sizes of the brand's name, for brands without a logo. */
const NAME_STEPS: readonly Step[] = [
  [42, 1],
  [30, 1],
];

const gradientStop = (at: number, colour: string, opacity = 1) =>
  `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`;

/** Darkens the picture under the text: at the bottom, at the side where lines begin, and a little under the logo. */
const shadeSvg = (ground: string, isRightToLeft: boolean) =>
  '<defs><linearGradient id="up" x2="0" y2="1">' +
  `${gradientStop(0, ground, 0.55)}${gradientStop(0.24, ground, 0.08)}${gradientStop(0.42, ground, 0.1)}${gradientStop(0.72, ground, 0.56)}${gradientStop(1, ground, 0.84)}</linearGradient>` +
  `<linearGradient id="side" ${isRightToLeft ? 'x1="1" x2="0"' : ''}>${gradientStop(0, ground, 0.5)}${gradientStop(0.62, ground, 0)}</linearGradient></defs>` +
  '<rect width="1200" height="630" fill="url(#up)"/><rect width="1200" height="630" fill="url(#side)"/>';

interface Block {
  setting: Setting;
  /** Baseline of the first line, in pixels from the top. */
  top: number;
  leading: number;
}

/** Draws lines as shapes, from the left edge or, in scripts from right to left, from the right edge. */
function linesSvg({ setting, top, leading }: Block, colour: string, emphasisColour: string): string {
  return setting.lines
    .map((line, i) => {
      const x = setting.isRightToLeft ? SHARE_SIZE.width - MARGIN - line.width : MARGIN;
      const shape = (path: string, fill: string) => (path ? `<path fill="${fill}" d="${path}"/>` : '');
      const place = `translate(${x.toFixed(1)} ${(top + i * leading).toFixed(1)})`;
      return `<g transform="${place}">${shape(line.plain, colour)}${shape(line.emphasis, emphasisColour)}</g>`;
    })
    .join('');
}

/** Fits the logo into its box. The sanitiser has removed everything but shapes. */
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
    // Not `stroke-width`.
    (_, attributes: string) => `<svg ${box}${attributes.replace(/(?<![\w-])(?:x|y|width|height)="[^"]*"/g, '')}>`,
  );
}

/**
 * Draws everything over the background as shapes. There is no text in the SVG, so that no title can break out of it.
 * @param isOverPicture Whether there is a picture. Text over it has the colours of the dark theme on all pages.
 */
function overlaySvg(
  card: Card,
  isOverPicture: boolean,
  typesetter: Typesetter,
  { paletteOf, ground }: ShareLook,
): string {
  const theme = isOverPicture ? 'dark' : card.theme;
  const palette = paletteOf(card.look);
  // The drawn background has the colours of the theme file.
  const isChanged = JSON.stringify(palette[theme]) !== JSON.stringify(paletteOf(undefined)[theme]);
  const colours = palette[theme];
  const width = SHARE_SIZE.width - 2 * MARGIN;
  const title = typesetter.setText(card.title, 'display', width, TITLE_STEPS);
  const isRightToLeft = title?.isRightToLeft ?? false;
  const leading = (title?.size ?? 0) * LINE_HEIGHT;
  const top = SHARE_SIZE.height - MARGIN - (title ? title.size * 0.1 + (title.lines.length - 1) * leading : 0);
  const label = (text: string) => typesetter.setText([{ text, mark: null }], 'label', width, [[KICKER_SIZE, 1]]);
  const kicker = card.kicker && title ? label(card.kicker) : null;
  const name = card.logo ? null : typesetter.setText([{ text: card.brand, mark: null }], 'display', 480, NAME_STEPS);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_SIZE.width}" height="${SHARE_SIZE.height}">`,
    isOverPicture ? shadeSvg(palette.dark.background, isRightToLeft) : isChanged ? '' : (ground?.[theme] ?? ''),
    card.logo ? placeLogo(card.logo, colours.text, isRightToLeft) : '',
    name ? linesSvg({ setting: name, top: NAME_BASELINE, leading: 0 }, colours.text, colours.text) : '',
    kicker
      ? linesSvg(
          { setting: kicker, top: top - (title?.size ?? 0) * 0.7 - KICKER_GAP, leading: 0 },
          colours.accent,
          colours.accent,
        )
      : '',
    title ? linesSvg({ setting: title, top, leading }, colours.text, colours.accent2) : '',
    '</svg>',
  ].join('');
}

/** As `object-fit: cover` with the focal point as `object-position`. */
function cropAround(ground: Sharp, { width, height }: Picture, { x, y }: FocalPoint): Sharp {
  const scale = Math.max(SHARE_SIZE.width / width, SHARE_SIZE.height / height);
  const [wide, high] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const left = Math.round((wide - SHARE_SIZE.width) * x);
  const top = Math.round((high - SHARE_SIZE.height) * y);
  return ground.resize(wide, high, { fit: 'fill' }).extract({ left, top, ...SHARE_SIZE });
}

/**
 * @param file The picture under the text, from the media library.
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
  const overlay = () => Buffer.from(overlaySvg(card, file !== null, typesetter, look));
  const jpegOptions = { quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true };
  if (file === null)
    return sharp(overlay()).flatten({ background: palette[card.theme].background }).jpeg(jpegOptions).toBuffer();
  const ground = await openRaster(file, card.picture?.src ?? 'the picture');
  const { width, height } = SHARE_SIZE;
  const croppedGround = card.picture?.focalPoint
    ? cropAround(ground, card.picture, card.picture.focalPoint)
    : ground.resize(width, height, { fit: 'cover', position: card.isChosen ? 'centre' : 'attention' });
  const picture = croppedGround.flatten({ background: palette.dark.background });
  // A picture that an editor chose for sharing has no words over it.
  return (card.isChosen ? picture : picture.composite([{ input: overlay() }])).jpeg(jpegOptions).toBuffer();
}
