/** An IP address or a name of this machine. A foreign DNS entry cannot make a browser use it for this server. */
const CANNOT_BE_REBOUND = /^(?:\d+\.\d+\.\d+\.\d+|\[.+\]|(?:.+\.)?localhost)$/;

/**
 * Whether a form was sent from this site's pages. Browsers send `Sec-Fetch-Site` to https and to localhost. Without it
 * `Origin` decides: it must be the public address, since anyone can point another name here (DNS rebinding).
 */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = request.headers.get('origin');
  if (!origin) return true;
  const from = URL.parse(origin);
  if (!from) return false;
  if (from.origin === URL.parse(siteUrl)?.origin) return true;
  return from.host === request.headers.get('host') && CANNOT_BE_REBOUND.test(from.hostname);
}
