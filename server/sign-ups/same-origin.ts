/**
 * Whether a form was sent from our own pages. `Sec-Fetch-Site` decides where a browser sends it; older ones send
 * `Origin`, which must be the public address or the host they spoke to.
 */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = request.headers.get('origin');
  if (!origin) return true;
  return origin === siteUrl || URL.parse(origin)?.host === request.headers.get('host');
}
