/** A video of another site. */
export interface Video {
  /** Address of its page. */
  page: string;
  /** Address of its player, which stores nothing before it plays. */
  player: string;
}

/**
 * Addresses of videos without `www.`, and the parts of their path and query that name the video. Playlists and channels
 * have a word in place of the id.
 */
const YOUTUBE =
  /^(?:m\.)?youtube(?:-nocookie)?\.com\/(?:embed\/|shorts\/|live\/|watch\?(?:.*&)?v=)(?!videoseries|live_stream)([\w-]{11})(?![\w-])/;
const YOUTU_BE = /^youtu\.be\/([\w-]{11})(?![\w-])/;
/** The second part is the key of an unlisted video: `/1234/abcd`, or `?h=abcd` of the player. */
const VIMEO =
  /^(?:player\.)?vimeo\.com\/(?:video\/)?(\d{1,12})(?:\/([\da-f]{1,20})|\?(?:.*&)?h=([\da-f]{1,20}))?(?![\w-])/;

/** @returns The video at an address, `null` for other addresses. */
export function videoAt(address: string): Video | null {
  const withoutScheme = address.replace(/^(?:https?:)?\/\/(?:www\.)?/, '');
  const id = (YOUTUBE.exec(withoutScheme) ?? YOUTU_BE.exec(withoutScheme))?.[1];
  if (id) {
    // In seconds.
    const [, start] = /[?&](?:start|t)=(\d{1,6})s?(?:&|$)/.exec(withoutScheme) ?? [];
    return {
      page: `https://www.youtube.com/watch?v=${id}${start ? `&t=${start}` : ''}`,
      player: `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}`,
    };
  }
  const [, vimeoId, keyInPath, keyInQuery] = VIMEO.exec(withoutScheme) ?? [];
  if (!vimeoId) return null;
  const key = keyInPath ?? keyInQuery;
  return {
    page: `https://vimeo.com/${vimeoId}${key ? `/${key}` : ''}`,
    player: `https://player.vimeo.com/video/${vimeoId}?dnt=1${key ? `&h=${key}` : ''}`,
  };
}
