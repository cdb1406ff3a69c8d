/**
 * The header set of every answer, the same for every page: no nonce and no hash, so pages can be cached anywhere.
 * `script-src 'self'` holds because page data rides in `type="application/json"`, which is no script to a browser.
 */
export interface SecurityOptions {
  /** Whether the public address is https: only then may HSTS be sent (RFC 6797 §7.2). */
  https: boolean;
  /** A tag manager writes scripts from strings: Trusted Types then only report. */
  tagManager: boolean;
}

const POLICY: Record<string, string> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'media-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
};

const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types pillion default";

/** What the page may use of the device: its own sound and full screen, nothing else. */
const PERMISSIONS = [
  'accelerometer=()',
  'autoplay=(self)',
  'camera=()',
  'display-capture=()',
  'fullscreen=(self)',
  'geolocation=()',
  'gyroscope=()',
  'magnetometer=()',
  'microphone=()',
  'midi=()',
  'payment=()',
  'usb=()',
].join(', ');

const directives = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** @returns Header names in lower case, ready for `writeHead` and `Headers`. */
export function securityHeaders({ https, tagManager }: SecurityOptions): Record<string, string> {
  const policy = directives(POLICY);
  return {
    'content-security-policy': tagManager ? policy : `${policy}; ${TRUSTED_TYPES}`,
    ...(tagManager ? { 'content-security-policy-report-only': TRUSTED_TYPES } : {}),
    // Two years with subdomains, what hstspreload.org asks for.
    ...(https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' } : {}),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
