/** An IP address, or a name of this machine: no DNS entry of a stranger can lead a browser here under one. */
const CANNOT_BE_REBOUND = /^(?:\d+\.\d+\.\d+\.\d+|\[.+\]|(?:.+\.)?localhost)$/;

/**
 * Whether a form was sent from our own pages. Browsers send `Sec-Fetch-Site` to https and to this machine; where it is
 * missing `Origin` decides. It must be the public address: the owner of any other name can point it here (DNS rebinding).
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
