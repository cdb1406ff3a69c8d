import { BlockList, isIP } from 'node:net';

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

/** Addresses of `X-Forwarded-For` that are read, from its near end: no house has so many proxies. */
const LONGEST_CHAIN = 32;

const namedIn = (header: string): string[] => header.split(',').slice(-LONGEST_CHAIN);

/**
 * Whose request it is, as proxies that are trusted tell it. Each adds the address it was spoken to from at the end, so
 * that what a visitor wrote herself stands before it: the last one that is no proxy of our own is hers.
 */
function forwardedAddress(header: string): string | null {
  const addresses = namedIn(header).map(addressIn);
  return addresses.findLast((address) => address !== null && !PRIVATE.test(address)) ?? addresses[0] ?? null;
}

/** Which proxies in front are believed when they say for whom they ask (`TRUST_PROXY`). */
export type TrustProxy =
  | { kind: 'none' }
  /** All, and those of private networks are passed over: what `true` means. */
  | { kind: 'private' }
  /** So many stand in front; none of them is asked who it is. */
  | { kind: 'hops'; hops: number }
  /** Addresses and networks in CIDR notation. */
  | { kind: 'networks'; networks: string[] };

export interface Proxies {
  /** Whether what this one says of a request is believed. `null` as in a test. */
  isBelieved: (remote: string | null) => boolean;
  /** The visitor's address. @param forwarded `X-Forwarded-For`. @returns `null` where there is none to be had. */
  visitorOf: (remote: string | null, forwarded: string | null) => string | null;
  /** Whether a connection from there may be a proxy's and so carry many visitors. */
  mayBeProxy: (remote: string | null) => boolean;
}

/** @returns Address and length of its prefix in bits; `null` where the text names no network. */
function networkIn(text: string): { address: string; bits: number } | null {
  const [given = '', length, ...more] = text.trim().split('/');
  const address = addressIn(given);
  if (address === null || given.includes('%') || more.length > 0) return null;
  const most = isIP(address) === 6 ? 128 : 32;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits >= 0 && bits <= most ? { address, bits } : null;
}

/** What a setting of `TRUST_PROXY` means; `null` where it means nothing. */
export function readTrustProxy(text: string): TrustProxy | null {
  if (text === 'true') return { kind: 'private' };
  if (text === 'false' || text === '0') return { kind: 'none' };
  // More hops than this nobody has; a larger number is an address that lost its dots.
  if (/^[1-9]$/.test(text)) return { kind: 'hops', hops: Number(text) };
  const networks = text.split(',').map((one) => one.trim());
  return networks.every((one) => one === 'private' || networkIn(one) !== null) ? { kind: 'networks', networks } : null;
}

function listOf(networks: string[]): (address: string | null) => boolean {
  const list = new BlockList();
  for (const { address, bits } of networks.flatMap((one) => networkIn(one) ?? []))
    list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const hasPrivate = networks.includes('private');
  return (address) =>
    address !== null &&
    (list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') || (hasPrivate && PRIVATE.test(address)));
}

/**
 * Reads a chain of proxies from its near end, where each names whoever spoke to it: what a visitor wrote herself stands
 * at the far end and is never reached while the proxies before it are named.
 */
export function createProxies(trust: TrustProxy): Proxies {
  const own = (remote: string | null) => (remote === null ? null : addressIn(remote));
  const mayBeProxy = (remote: string | null) => {
    const address = own(remote);
    return address === null || PRIVATE.test(address);
  };
  switch (trust.kind) {
    case 'none':
      return { isBelieved: () => false, visitorOf: own, mayBeProxy };
    case 'private':
      return {
        isBelieved: () => true,
        visitorOf: (remote, forwarded) => forwardedAddress(forwarded ?? '') ?? own(remote),
        mayBeProxy: () => true,
      };
    case 'hops':
      return {
        isBelieved: () => true,
        visitorOf(remote, forwarded) {
          const chain = namedIn(forwarded ?? '').map(addressIn);
          return chain[Math.max(0, chain.length - trust.hops)] ?? own(remote);
        },
        mayBeProxy: () => true,
      };
    case 'networks': {
      const isTrusted = listOf(trust.networks);
      return {
        isBelieved: (remote) => remote === null || isTrusted(own(remote)),
        visitorOf(remote, forwarded) {
          let visitor = own(remote);
          if (remote !== null && !isTrusted(visitor)) return visitor;
          for (const named of namedIn(forwarded ?? '').reverse()) {
            const address = addressIn(named);
            if (address === null) break;
            visitor = address;
            if (!isTrusted(address)) break;
          }
          return visitor;
        },
        mayBeProxy: (remote) => isTrusted(own(remote)) || mayBeProxy(remote),
      };
    }
  }
}

/** Headers by which proxies say for whom they ask. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip'];

/**
 * Whether a request comes from this machine or the house's own network, and was passed on for nobody outside.
 * @param remote Who opened the connection; `null` where there is none, as in a test.
 * @param proxies Whose word on the visitor's address is believed.
 */
export function isFromInside(remote: string | null, headers: Headers, proxies: Proxies): boolean {
  const own = remote === null ? null : addressIn(remote);
  if (remote !== null && (own === null || !PRIVATE.test(own))) return false;
  const given = FORWARDED.filter((name) => headers.has(name));
  if (given.length === 0) return true;
  if (!proxies.isBelieved(remote) || given[0] !== 'x-forwarded-for') return false;
  const asked = proxies.visitorOf(remote, headers.get('x-forwarded-for'));
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
 * @param visitor Her address, as the socket or a proxy tells it.
 * @returns Where it is none, one name for all such.
 */
export function networkOf(visitor: string | null): string {
  const address = addressIn(visitor ?? '');
  if (!address) return 'unknown';
  return isIP(address) === 6 ? `${prefixOf(address)}::/64` : address;
}

/**
 * In whose name a request waits for its turn: her network. Behind a proxy that nobody has named (`TRUST_PROXY`) all visitors
 * have the proxy's; the address that it added last tells them apart. It is believed for turns alone, never for limits.
 */
export function turnOf(proxies: Proxies, remote: string | null, forwarded: string | null): string {
  const network = networkOf(proxies.visitorOf(remote, forwarded));
  if (forwarded === null || proxies.isBelieved(remote) || !proxies.mayBeProxy(remote)) return network;
  return `${network} for ${networkOf(namedIn(forwarded).at(-1) ?? null)}`;
}
