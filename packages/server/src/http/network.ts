import { BlockList, isIP } from 'node:net';

/**
 * @returns The address without brackets, port and zone, an IPv4-mapped IPv6 address as IPv4; `null` if it is invalid.
 */
function addressIn(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(bare) ? bare : null;
}

/** Private addresses (RFC 1918, 6598, 4193, loopback, link-local). */
const PRIVATE =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd][\da-f]{2}:|fe80:)/i;

/** Maximum number of addresses that are read from the end of `X-Forwarded-For`. Real chains are shorter. */
const LONGEST_CHAIN = 32;

const namedIn = (header: string): string[] => header.split(',').slice(-LONGEST_CHAIN);

/**
 * The visitor's address, from the header of trusted proxies. Each proxy appends the address that connected to it, so
 * what the visitor wrote comes first: the last address that is not private is the visitor's.
 */
function forwardedAddress(header: string): string | null {
  const addresses = namedIn(header).map(addressIn);
  return addresses.findLast((address) => address !== null && !PRIVATE.test(address)) ?? addresses[0] ?? null;
}

/** Proxies whose forwarding headers are trusted (`TRUST_PROXY`). */
export type TrustProxy =
  | { kind: 'none' }
  /** The value `true`: all proxies are trusted, and private addresses are skipped. */
  | { kind: 'private' }
  /** The number of proxies in front, with any addresses. */
  | { kind: 'hops'; hops: number }
  /** Addresses and networks in CIDR notation. */
  | { kind: 'networks'; networks: string[] };

export interface Proxies {
  /** Whether the headers of this proxy are trusted. `null`: no socket, as in a test. */
  isBelieved: (remote: string | null) => boolean;
  /** The visitor's address. @param forwarded `X-Forwarded-For`. @returns `null` if it is unknown. */
  visitorOf: (remote: string | null, forwarded: string | null) => string | null;
  /** Whether this address may be a proxy that serves many visitors. */
  mayBeProxy: (remote: string | null) => boolean;
}

/** @returns Address and prefix length in bits; `null` if the text is no valid network. */
function networkIn(text: string): { address: string; bits: number } | null {
  const [given = '', length, ...more] = text.trim().split('/');
  const address = addressIn(given);
  if (address === null || given.includes('%') || more.length > 0) return null;
  const most = isIP(address) === 6 ? 128 : 32;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits >= 0 && bits <= most ? { address, bits } : null;
}

/** Parses `TRUST_PROXY`. @returns `null` if the value is invalid. */
export function readTrustProxy(text: string): TrustProxy | null {
  if (text === 'true') return { kind: 'private' };
  if (text === 'false' || text === '0') return { kind: 'none' };
  // At most 9 hops: a larger number is probably a mistyped address.
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
 * Reads a chain of proxies from its end, where each proxy names the address that connected to it. Text from the visitor
 * is at the start of the chain, and is not reached if all proxies are listed.
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

/** Headers of forwarded requests. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip'];

/**
 * Whether a request comes from this machine or a private network, and was not forwarded for a client outside.
 * @param remote Address of the connection; `null` without a socket, as in a test.
 * @param proxies Proxies whose headers are trusted.
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

/** The first 64 bits: the part that a provider assigns. Clients choose the rest freely. */
function prefixOf(address: string): string {
  // The URL parser normalises: lower case, no leading zeros, `::` for the longest run of zeros.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array(zeros).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}

/**
 * The key that limits count by: an IPv4 address, or the /64 of an IPv6 address.
 * @param visitor The visitor's address, from the socket or a proxy.
 * @returns `unknown` for all invalid addresses.
 */
export function networkOf(visitor: string | null): string {
  const address = addressIn(visitor ?? '');
  if (!address) return 'unknown';
  return isIP(address) === 6 ? `${prefixOf(address)}::/64` : address;
}

/**
 * The key that a request waits under: the visitor's network. Behind a proxy that `TRUST_PROXY` does not list, all
 * visitors have the proxy's address, so the address that the proxy added last is appended. It counts for turns only,
 * never for limits.
 */
export function turnOf(proxies: Proxies, remote: string | null, forwarded: string | null): string {
  const network = networkOf(proxies.visitorOf(remote, forwarded));
  if (forwarded === null || proxies.isBelieved(remote) || !proxies.mayBeProxy(remote)) return network;
  return `${network} for ${networkOf(namedIn(forwarded).at(-1) ?? null)}`;
}
