import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import { PREFIXES } from './endpoints.ts';

/** Where the site serves what lies in WordPress' uploads. */
export const MEDIA_PREFIX = '/media/';

/** Stands in for the site's own origin while an address is read; never appears in an answer. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Parts of WordPress that exist there only: links to them keep their host. */
const WORDPRESS_ONLY = /^\/(wp-(admin|content|includes|json|login\.php|cron\.php)|xmlrpc\.php)(\/|$)/;

export interface Rewriter {
  /** @returns A path of this site, a hash, or an absolute http(s), mailto or tel address; `null` for anything else. */
  link: (address: string) => string | null;
  /** @returns The address under `/media/`, or `null` where it does not lie in WordPress' uploads. */
  media: (address: string) => string | null;
  /** Whether an address lies in WordPress, which only this site may name. */
  isOurs: (address: string) => boolean;
}

interface Home {
  host: string;
  /** Path of a WordPress that lives in a folder of its host, without a trailing slash. */
  base: string;
}

function homeOf(address: string): Home | null {
  const url = URL.parse(address);
  return url && { host: url.host, base: url.pathname.replace(/\/+$/, '') };
}

/** Path inside WordPress, or `null` where the address is somebody else's. http and https count as the same place. */
function pathInside(url: URL, homes: Home[]): string | null {
  if (url.origin === PLACEHOLDER_ORIGIN) return url.pathname;
  for (const home of homes) {
    const isInside = url.host === home.host && `${url.pathname}/`.startsWith(`${home.base}/`);
    if (isInside) return url.pathname.slice(home.base.length) || '/';
  }
  return null;
}

/**
 * Turns WordPress' absolute addresses into paths of this site.
 * @param addresses Every address WordPress goes by: the one it is called under and those it calls itself.
 * @param onMedia Told every path under `/media/` that is given out.
 * @param folders Paths of its uploads at its own hosts, in addition to `wp-content/uploads` below each of its addresses.
 */
export function createRewriter(
  addresses: readonly string[],
  onMedia: (path: string) => void = () => {},
  folders: readonly string[] = [],
): Rewriter {
  const homes = addresses.flatMap((address) => homeOf(address) ?? []).sort((a, b) => b.base.length - a.base.length);
  // The URL parser drops tabs and newlines and reads `\` as `/`, as browsers do, so what is judged is what they see.
  const read = (address: string) => {
    const url = URL.parse(address.trim(), PLACEHOLDER_ORIGIN);
    return url && SCHEMES.has(url.protocol) ? url : null;
  };
  const isHere = ({ host, origin }: URL) => origin === PLACEHOLDER_ORIGIN || homes.some((home) => home.host === host);
  /** Path of an upload inside its folder; `null` for any other address. */
  const insideUploads = (url: URL): string | null => {
    const folder = isHere(url) ? folders.find((one) => url.pathname.startsWith(one)) : undefined;
    if (folder) return url.pathname.slice(folder.length);
    const path = pathInside(url, homes);
    return path?.startsWith(PREFIXES.uploads) ? path.slice(PREFIXES.uploads.length) : null;
  };
  /** Where the site serves an upload; `null` for any other address, and for a kind that only WordPress serves. */
  const given = (url: URL) => {
    const name = insideUploads(url);
    if (name === null || !mediaTypeOf(name)) return null;
    onMedia(MEDIA_PREFIX + name);
    return MEDIA_PREFIX + name;
  };
  const media = (address: string) => {
    const url = read(address);
    if (!url || !/^https?:$/.test(url.protocol)) return null;
    if (url.pathname.startsWith(MEDIA_PREFIX) && url.origin === PLACEHOLDER_ORIGIN) return url.pathname;
    return given(url);
  };
  const link = (address: string) => {
    if (address.trim() === '') return null;
    if (/^\s*#/.test(address)) return address.trim();
    const url = read(address);
    if (!url) return null;
    if (!/^https?:$/.test(url.protocol)) return url.href;
    const upload = given(url);
    if (upload) return upload;
    const path = pathInside(url, homes);
    if (path === null) return url.href;
    const isOfWordpress = WORDPRESS_ONLY.test(path) || insideUploads(url) !== null;
    if (url.origin !== PLACEHOLDER_ORIGIN && isOfWordpress) return url.href;
    // A second slash would make a host of the first segment.
    return path.replace(/^\/+/, '/') + url.search + url.hash;
  };
  const isOurs = (address: string) => {
    const url = read(address);
    if (!url || !/^https?:$/.test(url.protocol)) return false;
    return pathInside(url, homes) !== null || insideUploads(url) !== null;
  };
  return { link, media, isOurs };
}
