/** What the thumb's size and place come from, in CSS pixels. */
export interface Track {
  /** Length of the track, which is as long as the window is high. */
  length: number;
  /** The furthest the page can be scrolled. */
  limit: number;
  /** The thumb is never shorter, so that it can be caught on a long page. */
  shortest: number;
}

/** As much of the track as the window shows of the page. */
export const thumbLength = ({ length, limit, shortest }: Track): number =>
  Math.min(Math.max((length * length) / (length + limit), shortest), length);

/** How far the thumb can go. */
const room = (track: Track): number => track.length - thumbLength(track);

/** Where the thumb begins when the page is at `scroll`. */
export const thumbAt = (scroll: number, track: Track): number =>
  track.limit && (Math.min(Math.max(scroll / track.limit, 0), 1) * room(track) || 0);

/** How far the page goes for one pixel of the thumb. */
export const scrollPerPixel = (track: Track): number => (room(track) ? track.limit / room(track) : 0);

/** A page less a strip, by which the eye finds its place again; as browsers do. */
const PAGE_SHARE = 0.875;

/**
 * Where a press on the track at `pointer` takes a page that is at `scroll`.
 * @returns `null` once the thumb is under the pointer.
 */
export function pageTowards(pointer: number, scroll: number, track: Track): number | null {
  const thumb = thumbAt(scroll, track);
  const direction = pointer < thumb ? -1 : pointer > thumb + thumbLength(track) ? 1 : 0;
  if (direction === 0) return null;
  return Math.min(Math.max(scroll + direction * Math.round(track.length * PAGE_SHARE), 0), track.limit);
}
