/** The input for the thumb's length and position, in CSS pixels. */
export interface Track {
  /** Length of the track: the height of the window. */
  length: number;
  /** Maximum scroll position of the page. */
  limit: number;
  /** Minimum length of the thumb, so that it can be grabbed on a long page. */
  shortest: number;
}

/** The thumb covers the same share of the track as the window of the page. */
export const thumbLength = ({ length, limit, shortest }: Track): number =>
  Math.min(Math.max((length * length) / (length + limit), shortest), length);

/** Distance that the thumb can travel. */
const maxThumbOffset = (track: Track): number => track.length - thumbLength(track);

/** Offset of the thumb if the page is at `scroll`. */
export const thumbOffset = (scroll: number, track: Track): number =>
  track.limit && Math.min(Math.max(scroll / track.limit, 0), 1) * maxThumbOffset(track);

/** Pixels that the page scrolls for one pixel of the thumb. */
export const scrollPerPixel = (track: Track): number =>
  maxThumbOffset(track) ? track.limit / maxThumbOffset(track) : 0;

/** Share of the window that one page scrolls. As in browsers, an overlap stays visible. */
const PAGE_SHARE = 0.875;

/**
 * The next scroll position for a press on the track at `pointer`.
 * @returns `null` if the thumb is under the pointer.
 */
export function nextPageScroll(pointer: number, scroll: number, track: Track): number | null {
  const thumb = thumbOffset(scroll, track);
  const direction = pointer < thumb ? -1 : pointer > thumb + thumbLength(track) ? 1 : 0;
  if (direction === 0) return null;
  return Math.min(Math.max(scroll + direction * Math.round(track.length * PAGE_SHARE), 0), track.limit);
}
