import { mediaTypeOf } from '@pillion/lib/media-types.ts';
import { PREFIXES } from './endpoints.ts';

/** Path under which the site serves WordPress' uploads. */
export const MEDIA_PREFIX = '/media/';

/** Origin of relative addresses while they are parsed; never returned. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Paths that exist only in WordPress: links to them keep their host. */
const WORDPRESS_ONLY = /^\/(wp-(admin|content|includes|json|login\.php|cron\.php)|xmlrpc\.php)(\/|$)/;

export interface Rewriter {
  /** @returns A path of this site, a hash, or an absolute http(s), mailto or tel address; `null` for anything else. */
  link: (address: string) => string | null;
  /** @returns The path under `/media/`; `null` if the address is not in WordPress' uploads. */
  media: (address: string) => string | null;
  /** Whether an address is in WordPress. */
  isOurs: (address: string) => boolean;
}

interface Home {
  host: string;
  /** Path of a WordPress in a folder of its host, without a trailing slash. */
  base: string;
}

function homeOf(address: string): Home | null {
  const url = URL.parse(address);
  return url && { host: url.host, base: url.pathname.replace(/\/+$/, '') };
}

/** Returns the path inside WordPress; `null` for other addresses. http and https count as the same. */
function pathInside(url: URL, homes: Home[]): string | null {
  if (url.origin === PLACEHOLDER_ORIGIN) return url.pathname;
  for (const home of homes) {
    const isInside = url.host === home.host && `${url.pathname}/`.startsWith(`${home.base}/`);
    if (isInside) return url.pathname.slice(home.base.length) || '/';
  }
  return null;
}

/**
 * Converts WordPress' absolute addresses into paths of this site.
 * @param addresses All addresses of WordPress: the one at which it is called and those that it uses itself.
 * @param onMedia Called with each returned path under `/media/`.
 * @param folders Paths of upload folders at WordPress' hosts, in addition to `wp-content/uploads` below each address.
 */
export function createRewriter(
  addresses: readonly string[],
  onMedia: (path: string) => void = () => {},
  folders: readonly string[] = [],
): Rewriter {
  const homes = addresses.flatMap((address) => homeOf(address) ?? []).sort((a, b) => b.base.length - a.base.length);
  // The URL parser removes tabs and newlines and reads `\` as `/`, like browsers, so the checks apply to the address
  // that browsers use.
  const parseAddress = (address: string) => {
    // `//example.org` names no scheme.
    const url = URL.parse(address.trim().replace(/^[\\/]{2}/, 'https://'), PLACEHOLDER_ORIGIN);
    return url && SCHEMES.has(url.protocol) ? url : null;
  };
  const isOnWordpress = ({ host, origin }: URL) =>
    origin === PLACEHOLDER_ORIGIN || homes.some((home) => home.host === host);
  /** Returns an upload's path inside its folder; `null` for other addresses. */
  const uploadName = (url: URL): string | null => {
    const folder = isOnWordpress(url) ? folders.find((one) => url.pathname.startsWith(one)) : undefined;
    if (folder) return url.pathname.slice(folder.length);
    const path = pathInside(url, homes);
    return path?.startsWith(PREFIXES.uploads) ? path.slice(PREFIXES.uploads.length) : null;
  };
  /** Returns the site's path of an upload; `null` for other addresses and file types that only WordPress serves. */
  const mediaPath = (url: URL) => {
    const name = uploadName(url);
    if (name === null || !mediaTypeOf(name)) return null;
    onMedia(MEDIA_PREFIX + name);
    return MEDIA_PREFIX + name;
  };
  const media = (address: string) => {
    const url = parseAddress(address);
    if (!url || !/^https?:$/.test(url.protocol)) return null;
    if (url.pathname.startsWith(MEDIA_PREFIX) && url.origin === PLACEHOLDER_ORIGIN) return url.pathname;
    return mediaPath(url);
  };
  const link = (address: string) => {
    if (address.trim() === '') return null;
    if (/^\s*#/.test(address)) return address.trim();
    const url = parseAddress(address);
    if (!url) return null;
    if (!/^https?:$/.test(url.protocol)) return url.href;
    const upload = mediaPath(url);
    if (upload) return upload;
    const path = pathInside(url, homes);
    if (path === null) return url.href;
    // Uploads whose type the site does not serve are on WordPress only. A relative link names no host to return.
    const isWordpressOnly = WORDPRESS_ONLY.test(path) || uploadName(url) !== null;
    if (url.origin !== PLACEHOLDER_ORIGIN && isWordpressOnly) return url.href;
    // Browsers read the first segment of a path that starts with `//` as a host.
    return path.replace(/^\/+/, '/') + url.search + url.hash;
  };
  const isOurs = (address: string) => {
    const url = parseAddress(address);
    if (!url || !/^https?:$/.test(url.protocol)) return false;
    return pathInside(url, homes) !== null || uploadName(url) !== null;
  };
  return { link, media, isOurs };
}
