import type { Picture, PictureSource } from '../types.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import type { WirePicture } from '../wordpress/schemas.ts';

/** A size whose proportions differ by more is a crop. Rounding alone makes a difference below 0.01. */
const SAME_RATIO_TOLERANCE = 0.02;

/** Where WordPress knows no size, the layout keeps a place of 3:2: most cameras make such pictures. */
const ASSUMED_SIZE = { width: 1500, height: 1000 };

interface Size {
  width: number;
  height: number;
}

/** Whether a size that WordPress made shows the whole picture, not a crop of it. */
export const isSameRatio = (size: Size, whole: Size): boolean =>
  size.height > 0 && Math.abs((size.width / size.height) * (whole.height / whole.width) - 1) <= SAME_RATIO_TOLERANCE;

/**
 * Gives a picture the site's own address.
 * @returns `null` where there is none. A picture on another host counts as none: the page's policy would block it.
 */
export function pictureOf(wire: WirePicture | null, rewriter: Rewriter, warn: Warn): Picture | null {
  if (wire === null || wire.url === '') return null;
  const src = rewriter.media(wire.url);
  if (src === null) {
    warn('content.picture-elsewhere', { url: wire.url });
    return null;
  }
  const isSized = wire.width > 0 && wire.height > 0;
  if (!isSized) warn('content.picture-without-size', { url: wire.url });
  const { width, height } = isSized ? wire : ASSUMED_SIZE;
  return { src, alt: wire.alt, width, height, sources: sourcesOf(wire, src, { width, height }, rewriter) };
}

function sourcesOf(wire: WirePicture, src: string, whole: Size, rewriter: Rewriter): PictureSource[] {
  const byWidth = new Map<number, string>();
  for (const size of wire.sizes ?? []) {
    const copy = size && isSameRatio(size, whole) ? rewriter.media(size.url) : null;
    if (size && copy) byWidth.set(size.width, copy);
  }
  byWidth.set(whole.width, src);
  return [...byWidth].map(([width, src]) => ({ src, width })).sort((a, b) => a.width - b.width);
}
