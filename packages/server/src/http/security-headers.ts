import { PLAYER_HOSTS } from '@pillion/content/embeds.ts';

/**
 * Security headers. They are the same for every page, without nonce or hash, so that caches can store pages.
 * `script-src 'self'` is enough because browsers do not run page data (`type="application/json"`).
 */
export interface SecurityOptions {
  /** Whether the public address is https. HSTS requires it (RFC 6797 §7.2). */
  https: boolean;
  /** Scope of HSTS. Browsers could not reach a subdomain without https for two years. */
  hsts: 'host' | 'subdomains' | 'preload';
  /** A tag manager makes scripts from strings, so Trusted Types only report, and Google's hosts are allowed. */
  tagManager: boolean;
}

/** Where browsers report what the policy refused, and other problems of a page. */
export const REPORTS_PATH = '/api/reports';

/** The Content Security Policy. */
export const CONTENT_POLICY: Record<string, string> = {
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

/** Browsers have the Reporting API on https only, and prefer `report-to` also where it does nothing. */
const reportDirectives = (https: boolean) => `report-uri ${REPORTS_PATH}${https ? '; report-to default' : ''}`;

const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types pillion default";

/**
 * Sources of a Google tag manager with Google's tags (Analytics, Ads), from Google's "Use Tag Manager with a Content
 * Security Policy". Without inline scripts and `eval`, custom HTML tags and custom JavaScript variables do not run.
 */
const GOOGLE_SOURCES: Record<string, string> = {
  // Two files instead of a host, since some of Google's endpoints return any script (JSONP).
  'script-src': 'https://www.googletagmanager.com/gtm.js https://www.googletagmanager.com/gtag/js',
  'img-src':
    'https://*.googletagmanager.com https://*.google-analytics.com https://*.g.doubleclick.net https://www.google.com https://www.googleadservices.com',
  'connect-src':
    'https://*.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com https://*.g.doubleclick.net https://www.google.com https://www.googleadservices.com',
  'frame-src': 'https://www.googletagmanager.com https://td.doubleclick.net',
};

const addGoogleSources = (policy: Record<string, string>): Record<string, string> => ({
  ...policy,
  ...Object.fromEntries(
    Object.entries(GOOGLE_SOURCES).map(([name, hosts]) => [name, policy[name] ? `${policy[name]} ${hosts}` : hosts]),
  ),
});

/** Pages may use only sound and full screen. */
const PERMISSIONS_POLICY = [
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

/** @returns The policy as its header's value. */
export const formatPolicy = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** Two years; `preload` as hstspreload.org requires. */
const HSTS: Record<SecurityOptions['hsts'], string> = {
  host: 'max-age=63072000',
  subdomains: 'max-age=63072000; includeSubDomains',
  preload: 'max-age=63072000; includeSubDomains; preload',
};

/**
 * The headers of a response that one other origin may show in a frame or in a window that it exchanges messages with. It
 * sends no forms.
 * @param origin As in `https://cms.example.org`.
 */
export function framableHeaders(headers: Record<string, string>, origin: string): Record<string, string> {
  const { 'x-frame-options': _, 'content-security-policy': policy = '', ...rest } = headers;
  return {
    ...rest,
    'content-security-policy': policy
      .replace("frame-ancestors 'none'", `frame-ancestors ${origin}`)
      .replace("form-action 'self'", "form-action 'none'"),
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** Headers of a page with videos of other sites: it may show their players, which may play and fill the screen. */
export function embedHeadersFor(headers: Record<string, string>): Record<string, string> {
  const { 'content-security-policy': policy = '', 'permissions-policy': permissions = '' } = headers;
  const withFrameSource = policy.includes('frame-src ') ? policy : `${policy}; frame-src`;
  const origins = PLAYER_HOSTS.replace(/\S+/g, '"$&"');
  return {
    'content-security-policy': withFrameSource.replace(/(^|; )frame-src/, `$& ${PLAYER_HOSTS}`),
    'permissions-policy': permissions.replace(/(autoplay|fullscreen)=\(self\)/g, `$1=(self ${origins})`),
  };
}

/** @returns Header names in lower case, ready for `writeHead` and `Headers`. */
export function securityHeaders({ https, hsts, tagManager }: SecurityOptions): Record<string, string> {
  const policy = tagManager
    ? formatPolicy(addGoogleSources(CONTENT_POLICY))
    : `${formatPolicy(CONTENT_POLICY)}; ${TRUSTED_TYPES}`;
  return {
    'content-security-policy': `${policy}; ${reportDirectives(https)}`,
    ...(tagManager ? { 'content-security-policy-report-only': `${TRUSTED_TYPES} tag-manager` } : {}),
    ...(https ? { 'strict-transport-security': HSTS[hsts] } : {}),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS_POLICY,
    // The endpoint `default` also gets crashes, deprecations and interventions.
    ...(https ? { 'reporting-endpoints': `default="${REPORTS_PATH}"` } : {}),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
