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
  const plain = address.replace(/^(?:https?:)?\/\/(?:www\.)?/, '');
  const id = (YOUTUBE.exec(plain) ?? YOUTU_BE.exec(plain))?.[1];
  if (id) {
    const [, start] = /[?&](?:start|t)=(\d{1,6})s?(?:&|$)/.exec(plain) ?? [];
    return {
      page: `https://www.youtube.com/watch?v=${id}${start ? `&t=${start}` : ''}`,
      player: `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}`,
    };
  }
  const [, number, path, query] = VIMEO.exec(plain) ?? [];
  if (!number) return null;
  const key = path ?? query;
  return {
    page: `https://vimeo.com/${number}${key ? `/${key}` : ''}`,
    player: `https://player.vimeo.com/video/${number}?dnt=1${key ? `&h=${key}` : ''}`,
  };
}
