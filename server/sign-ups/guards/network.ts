import { isIP } from 'node:net';

/** Without brackets, port and zone, and an IPv4 address that IPv6 carries as itself; `null` where it is no address. */
function addressIn(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(bare) ? bare : null;
}

/** Addresses of a house's own proxies (RFC 1918, 6598, 4193, loopback, link-local). */
const PRIVATE =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd][\da-f]{2}:|fe80:)/i;

/**
 * Whose request it is, as proxies that are trusted tell it. Each adds the address it was spoken to from at the end, so
 * that what a visitor wrote herself stands before it: the last one that is no proxy of our own is hers.
 */
function forwardedAddress(header: string): string | null {
  const addresses = header.split(',').map(addressIn);
  return addresses.findLast((address) => address !== null && !PRIVATE.test(address)) ?? addresses[0] ?? null;
}

/** Headers by which proxies say for whom they ask. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip'];

/**
 * Whether a request comes from this machine or the house's own network, and was passed on for nobody outside.
 * @param remote Who opened the connection; `null` where there is none, as in a test.
 * @param isTrusted Whether what a proxy says of the visitor's address can be believed.
 */
export function isFromInside(remote: string | null, headers: Headers, isTrusted: boolean): boolean {
  const own = remote === null ? null : addressIn(remote);
  if (remote !== null && (own === null || !PRIVATE.test(own))) return false;
  const given = FORWARDED.filter((name) => headers.has(name));
  if (given.length === 0) return true;
  const asked =
    isTrusted && given[0] === 'x-forwarded-for' ? forwardedAddress(headers.get('x-forwarded-for') ?? '') : null;
  return asked !== null && PRIVATE.test(asked);
}

/** The four groups of 16 bits that a house is given; what follows them its visitors choose as they like. */
function prefixOf(address: string): string {
  // The address as URLs write it: lower case, no leading zeros, the longest run of them as `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array(zeros).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}

/**
 * What limits count by: an IPv4 address, or the /64 of an IPv6 one.
 * @param remote Who opened the connection.
 * @param forwarded `X-Forwarded-For`, where a proxy is trusted; `null` otherwise.
 * @returns Where neither is an address, one name for all such.
 */
export function networkOf(remote: string | null, forwarded: string | null): string {
  const address = forwardedAddress(forwarded ?? '') ?? addressIn(remote ?? '');
  if (!address) return 'unknown';
  return isIP(address) === 6 ? `${prefixOf(address)}::/64` : address;
}
