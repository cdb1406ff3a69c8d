import type { Picture, PictureSource } from '../types.ts';
import type { Warn } from '../wordpress/result.ts';
import type { Rewriter } from '../wordpress/rewrite.ts';
import type { WirePicture } from '../wordpress/schemas.ts';

/** Largest difference in aspect ratio; a larger one means a crop. Rounding causes less than 0.01. */
const SAME_RATIO_TOLERANCE = 0.02;

/** Assumed size if WordPress does not know it: 3:2 is the ratio of most cameras. */
const ASSUMED_SIZE = { width: 1500, height: 1000 };

interface Size {
  width: number;
  height: number;
}

/** Whether a size shows the whole picture, not a crop. */
export const isSameRatio = (size: Size, whole: Size): boolean =>
  size.height > 0 && Math.abs((size.width / size.height) * (whole.height / whole.width) - 1) <= SAME_RATIO_TOLERANCE;

/**
 * Gives a picture an address of this site.
 * @returns `null` without a picture. A picture on another host is left out, since the page's policy would block it.
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
  const sources = sourcesOf(wire, src, { width, height }, rewriter);
  return { src, alt: wire.alt, width, height, sources, ...(wire.focal_point && { focalPoint: wire.focal_point }) };
}

/** @returns The whole picture and its sizes without crops, smallest first. */
function sourcesOf(wire: WirePicture, src: string, whole: Size, rewriter: Rewriter): PictureSource[] {
  const byWidth = new Map<number, string>();
  for (const size of wire.sizes ?? []) {
    if (size === null || !isSameRatio(size, whole)) continue;
    const source = rewriter.media(size.url);
    if (source !== null) byWidth.set(size.width, source);
  }
  byWidth.set(whole.width, src);
  return [...byWidth].map(([width, src]) => ({ src, width })).sort((a, b) => a.width - b.width);
}
