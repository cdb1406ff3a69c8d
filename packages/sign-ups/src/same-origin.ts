/** An IP address or a name of this machine. A foreign DNS entry cannot make a browser use it for this server. */
const REBINDING_SAFE_HOST = /^(?:\d+\.\d+\.\d+\.\d+|\[.+\]|(?:.+\.)?localhost)$/;

/**
 * Whether a form was sent from this site's pages. Browsers send `Sec-Fetch-Site` to https and to localhost. Without it
 * `Origin` decides: it must be the public address, since anyone can point another name here (DNS rebinding).
 */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = request.headers.get('origin');
  if (!origin) return true;
  const source = URL.parse(origin);
  if (!source) return false;
  if (source.origin === URL.parse(siteUrl)?.origin) return true;
  return source.host === request.headers.get('host') && REBINDING_SAFE_HOST.test(source.hostname);
}
