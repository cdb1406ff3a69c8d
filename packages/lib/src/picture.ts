export interface PictureSource {
  src: string;
  /** Width of this file in pixels, for `srcset`. */
  width: number;
}

/** Fractions of a picture's width and height, from its upper left corner. */
export interface FocalPoint {
  x: number;
  y: number;
}

/** CSS has a rule for each quarter, since the Content Security Policy allows no inline styles. */
export const quarter = (fraction: number): number => Math.round(fraction * 4);

/** A picture under the site's own URL, with all WordPress sizes of the same aspect ratio. */
export interface Picture {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Ascending by width, including `src`. */
  sources: PictureSource[];
  /** The point that stays visible when the picture is cropped. Missing: the stylesheet of the section decides. */
  focalPoint?: FocalPoint;
}

/** @returns The smallest file of a picture that is wide enough. */
export const fileFor = ({ src, sources }: Picture, width: number): string =>
  sources.find((source) => source.width >= width)?.src ?? src;
