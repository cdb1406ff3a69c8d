import { PURPOSES } from '@pillion/lib/consent.ts';
import { isOnThisMachine, isUrlOutOfReach, type Reach } from '@pillion/lib/private-networks.ts';
import { MIN_SECRET_KEY_LENGTH } from '@pillion/lib/secret-key.ts';
import { isWebhookSecret } from '@pillion/lib/standard-webhooks.ts';
import type { DestinationOptions } from '@pillion/sign-ups/destination/destination.ts';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { parseTrustProxy, type TrustProxy } from '../http/network.ts';

/** The configuration of the server. The environment is read at the start, never during the build. */
export interface Config {
  host: string;
  port: number;
  /** Origin of the public site, without a trailing slash; decides every absolute address. */
  siteUrl: string;
  dataDirectory: string;
  /** Database of sign-ups; contains a secret. `null`: SQLite in the data folder. */
  databaseUrl: string | null;
  content: { source: 'bundled' } | { source: 'wordpress'; url: string; key: string; secret: string; timeoutMs: number };
  /** Signs and encrypts; `null`: the key in the data folder. */
  secretKey: string | null;
  /** Earlier keys. They only decrypt. */
  previousSecretKeys: readonly string[];
  /** Verifies WordPress' webhooks; `null`: all are refused. */
  webhookSecret: string | null;
  /** The address that gets the sign-ups instead of WordPress, and its signing secret. Contains secrets. */
  formWebhook: { url: string; secret: string } | null;
  /** The address that gets a copy of each sign-up. Contains secrets. */
  destination: DestinationOptions | null;
  /** Addresses besides public ones that a destination may have. */
  destinationReach: Reach;
  /** Retention of a sign-up's personal data after its delivery, in days. */
  signUpsKeepDays: number;
  /** Bytes of files that one network may send in an hour. */
  uploadsPerHour: number;
  trustProxy: TrustProxy;
  /** The CDN's purge endpoint and its bearer token; `null`: no purge. Contains secrets. */
  purge: { url: string; token: string | null } | null;
  /** Scope of the HSTS header. */
  hsts: 'host' | 'subdomains' | 'preload';
  gtmId: string | null;
  /** Path of the analytics script on this site, and its origin if no proxy in front serves that path. */
  analytics: { script: string; upstream: string | null; endpoints: string[] } | null;
  deployEnv: string;
  debug: boolean;
}

export type ConfigResult = { ok: true; config: Config; warnings: string[] } | { ok: false; problems: string[] };

/** Names in docs/reference/contract.md that the server does not read. Listed so that they are not reported as misspelled. */
const RESERVED = ['WORDPRESS_PORT', 'PREVIEW_SECRET'];

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

/** An http(s) address without query, hash or credentials. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return !url.username && !url.password && !url.search && !url.hash;
}

/** As `isAddress`, but a query is allowed, because some services need one. */
function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isAddress(url.origin + url.pathname) && !url.username && !url.password && !url.hash;
}

const origin = z
  .string()
  .refine((text) => isAddress(text) && new URL(text).pathname === '/')
  .transform((text) => new URL(text).origin);

/** WordPress may live in a folder of its host. */
const address = z
  .string()
  .refine(isAddress)
  .transform((text) => text.replace(/\/+$/, ''));

/** A connection URI of PostgreSQL: a host, or the folder of a socket as `?host=/run/postgresql`. */
function isDatabase(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) return false;
  const hasHost = url.hostname !== '' || !!url.searchParams.get('host');
  return hasHost && /^\/[^/]+$/.test(url.pathname) && !url.hash;
}

/** Values separated by commas. */
const listOf = (isValid: (part: string) => boolean) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isValid));

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

const SIGNING_SECRET =
  'whsec_ and 24 to 64 bytes in base64, for example from echo whsec_$(openssl rand -base64 32), the same value as at the receiver';

/** Each variable with its schema and the text that an error message says it expects. */
const VARIABLES = {
  PORT: [wholeNumber(1, 65_535), 'a port number from 1 to 65535'],
  HOST: [z.string().regex(/^[\w.:-]+$/), 'an address to listen on, such as 127.0.0.1'],
  SITE_URL: [origin, 'the public address of the site, such as https://example.org, without a path'],
  CONTENT_SOURCE: [z.enum(['bundled', 'wordpress']), '"bundled" or "wordpress"'],
  CONTENT_URL: [address, "WordPress' address, such as https://cms.example.org"],
  CONTENT_KEY: [z.string().regex(/^[^\s:]+$/), 'the consumer key that the Pillion plugin showed, such as ck_…'],
  CONTENT_SECRET: [z.string().regex(/^\S+$/), 'the consumer secret that the Pillion plugin showed, such as cs_…'],
  CONTENT_TIMEOUT_MS: [wholeNumber(0, 60_000), 'milliseconds from 0 (none) to 60000'],
  DATA_DIR: [z.string(), 'a folder this process may write to'],
  DATABASE_URL: [
    z.string().refine(isDatabase),
    'the address of a PostgreSQL database, such as postgresql://user:password@127.0.0.1:5432/pillion',
  ],
  SECRET_KEY: [
    z.string().min(MIN_SECRET_KEY_LENGTH),
    `at least ${MIN_SECRET_KEY_LENGTH} characters, for example from openssl rand -base64 32`,
  ],
  SECRET_KEY_PREVIOUS: [
    listOf((key) => key.length >= MIN_SECRET_KEY_LENGTH),
    `the keys used before SECRET_KEY, separated by commas, of at least ${MIN_SECRET_KEY_LENGTH} characters each`,
  ],
  WEBHOOK_SECRET: [
    z.string().regex(/^whsec_[A-Za-z\d+/]{32,}={0,2}$/),
    'whsec_ and at least 24 bytes in base64, as the Pillion plugin shows it',
  ],
  FORM_WEBHOOK_URL: [
    z.string().refine(isServiceAddress),
    'the address that gets every sign-up, such as https://crm.example.com/sign-ups, without a user or #',
  ],
  FORM_WEBHOOK_SECRET: [z.string().refine(isWebhookSecret), SIGNING_SECRET],
  DESTINATION_URL: [
    z.string().refine(isServiceAddress),
    'the address that gets a copy of each sign-up, such as https://hooks.example.com/sign-ups, without a user or #',
  ],
  DESTINATION_SECRET: [z.string().refine(isWebhookSecret), SIGNING_SECRET],
  DESTINATION_PURPOSE: [
    z.enum(['none', ...PURPOSES]),
    `"none" (every sign-up is sent), "statistics" or "marketing" (only with the visitor's consent to it)`,
  ],
  DESTINATION_FIELDS: [
    listOf((name) => /^input_\d+(?:_\d+)*$/.test(name)),
    'names of fields separated by commas, such as input_1,input_3',
  ],
  DESTINATION_PRIVATE: [flag, '"true" if DESTINATION_URL may be in a private network, else "false"'],
  SIGN_UPS_KEEP_DAYS: [wholeNumber(0, 3_650), 'days from 0 to 3650'],
  UPLOADS_MB_PER_HOUR: [wholeNumber(11, 1_000_000), 'megabytes from 11 (one form) to 1000000'],
  TRUST_PROXY: [
    z.string().transform((text, context) => {
      const trust = parseTrustProxy(text);
      if (trust === null) context.addIssue({ code: 'custom' });
      return trust ?? z.NEVER;
    }),
    '"true", "false", the number of proxies in front (1 to 9), or their addresses and networks separated by commas, such as 10.0.0.0/8, 2001:db8::/32',
  ],
  PURGE_URL: [
    z.string().refine(isServiceAddress),
    'the address for purges at the CDN, such as https://api.example.com/zones/1/purge_cache',
  ],
  PURGE_TOKEN: [z.string().regex(/^[\x21-\x7e]+$/), 'the token for PURGE_URL, without "Bearer"'],
  HSTS: [
    z.enum(['host', 'subdomains', 'preload']),
    '"host", "subdomains" (every subdomain too) or "preload" (the same, for the list in browsers)',
  ],
  GTM_ID: [z.string().regex(/^GTM-[A-Z0-9]+$/), 'a tag manager id such as GTM-ABC1234'],
  ANALYTICS_SCRIPT: [
    // In a separate folder: the files next to the script may be proxied.
    z
      .string()
      .regex(/^(?:\/[\w.-]+){2,}$/)
      .refine((text) => !/^\/(?:api|assets|media)\//.test(text)),
    'a path on this site in a separate folder, such as /insights/script.js',
  ],
  ANALYTICS_UPSTREAM: [
    address,
    'the address of the service that has the script and its endpoints, such as https://stats.example.org',
  ],
  ANALYTICS_ENDPOINTS: [
    listOf((name) => /^[\w.-]+(?:\/[\w.-]+)*$/.test(name) && !/(?:^|\/)\.+(?:\/|$)/.test(name)),
    'names of the endpoints next to the script, separated by commas, such as view, event',
  ],
  DEPLOY_ENV: [z.string().regex(/^[\w-]+$/), 'a name such as production or staging'],
} as const;

/** Endpoints that scripts of common services send to (Vercel, Plausible, Umami; not Matomo's own names). */
const COMMON_ENDPOINTS = ['view', 'event', 'pageview', 'session', 'vitals', 'api/event', 'api/send', 'collect'];

type Values = { [Name in keyof typeof VARIABLES]?: z.output<(typeof VARIABLES)[Name][0]> };

/** An empty variable counts as unset, as shells and container files leave them. */
const envValue = (env: NodeJS.ProcessEnv, name: string) => env[name]?.trim() || undefined;

/** Whether a message may show the value. It may not show secrets, even wrong ones, or credentials in an address. */
const isPrintable = (name: string, text: string) =>
  !/KEY|SECRET|DATABASE|PURGE|FORM_WEBHOOK|DESTINATION_URL/.test(name) && !text.includes('@');

/** Variables that are read only with CONTENT_SOURCE=wordpress. */
const WORDPRESS_ONLY = ['CONTENT_URL', 'CONTENT_KEY', 'CONTENT_SECRET'] as const;

/** Validates each variable alone. @returns The valid ones, and a sentence about each other. */
function readValues(env: NodeJS.ProcessEnv): { values: Values; problems: string[] } {
  const ignoredNames: readonly string[] = envValue(env, 'CONTENT_SOURCE') === 'wordpress' ? [] : WORDPRESS_ONLY;
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, [schema, expected]] of Object.entries(VARIABLES)) {
    const text = envValue(env, name);
    if (text === undefined || ignoredNames.includes(name)) continue;
    const read = schema.safeParse(text);
    if (read.success) values[name] = read.data;
    else problems.push(`${name}${isPrintable(name, text) ? ` is "${text}"` : ''}: expected ${expected}.`);
  }
  return { values: values as Values, problems };
}

/** @param problems Gets a sentence about each missing variable. */
function readContent(values: Values, problems: string[]): Config['content'] {
  if (values.CONTENT_SOURCE !== 'wordpress') return { source: 'bundled' };
  const { CONTENT_URL: url = '', CONTENT_KEY: key = '', CONTENT_SECRET: secret = '' } = values;
  for (const name of WORDPRESS_ONLY) {
    if (values[name] === undefined && !problems.some((problem) => problem.startsWith(name)))
      problems.push(`${name} is missing: with CONTENT_SOURCE=wordpress it must be ${VARIABLES[name][1]}.`);
  }
  return { source: 'wordpress', url, key, secret, timeoutMs: values.CONTENT_TIMEOUT_MS ?? 1500 };
}

/**
 * Reads the address that gets sign-ups, and its secret. Sign-ups are personal data, so they never cross a network without
 * TLS.
 * @param problems Gets a sentence if the address must not get sign-ups, or only one of the two variables is set.
 * @returns `null` without a valid address and secret.
 */
function readReceiver(
  prefix: 'FORM_WEBHOOK' | 'DESTINATION',
  values: Values,
  problems: string[],
): Config['formWebhook'] {
  if (problems.some((problem) => problem.startsWith(prefix))) return null;
  const [urlName, secretName] = [`${prefix}_URL`, `${prefix}_SECRET`] as const;
  const [url, secret] = [values[urlName], values[secretName]];
  if (url === undefined && secret === undefined) return null;
  if (url === undefined || secret === undefined) {
    const missingName = url === undefined ? urlName : secretName;
    problems.push(`${missingName} is missing: ${urlName} and ${secretName} belong together. Set both or none.`);
    return null;
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || (isOnThisMachine(hostname) && isOnLoopback(values))) return { url, secret };
  problems.push(
    `${urlName} must begin with https://: sign-ups are personal data. Only a site that listens on this machine alone (HOST=127.0.0.1) may send them to http:// on this machine.`,
  );
  return null;
}

/** Whether the site listens on this machine alone. */
const isOnLoopback = ({ HOST = '127.0.0.1' }: Values) => isOnThisMachine(HOST);

const reachOf = (values: Values): Reach => ({
  loopback: isOnLoopback(values),
  private: values.DESTINATION_PRIVATE ?? false,
});

function readDestination(values: Values, problems: string[]): Config['destination'] {
  const receiver = readReceiver('DESTINATION', values, problems);
  if (!receiver) return null;
  const reach = reachOf(values);
  if (isUrlOutOfReach(reach, receiver.url)) {
    problems.push(
      'DESTINATION_URL is an address in a private network: set DESTINATION_PRIVATE=true if it is meant, or use a public address.',
    );
    return null;
  }
  const { DESTINATION_PURPOSE: purpose = 'none', DESTINATION_FIELDS: fields = [] } = values;
  return { ...receiver, purpose, fields, reach };
}

/** The server's own address. IPv6 needs brackets (RFC 3986, 3.2.2). */
export const addressAt = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Reads and validates the environment.
 * @returns The configuration and warnings, or all problems, each with its variable and what it expects. Secrets of a source
 * that is not chosen are not validated.
 */
export function readConfig(env: NodeJS.ProcessEnv): ConfigResult {
  const { values, problems } = readValues(env);
  const content = readContent(values, problems);
  checkKeys(values, problems);
  const formWebhook = readReceiver('FORM_WEBHOOK', values, problems);
  const destination = readDestination(values, problems);
  if (problems.length > 0) return { ok: false, problems };
  const { HOST: host = '127.0.0.1', PORT: port = 3000 } = values;
  const config: Config = {
    host,
    port,
    siteUrl: values.SITE_URL ?? addressAt({ host, port }),
    dataDirectory: values.DATA_DIR ?? './data',
    databaseUrl: values.DATABASE_URL ?? null,
    content,
    secretKey: values.SECRET_KEY ?? null,
    previousSecretKeys: values.SECRET_KEY_PREVIOUS ?? [],
    webhookSecret: values.WEBHOOK_SECRET ?? null,
    formWebhook,
    destination,
    destinationReach: reachOf(values),
    signUpsKeepDays: values.SIGN_UPS_KEEP_DAYS ?? 90,
    uploadsPerHour: (values.UPLOADS_MB_PER_HOUR ?? 400) * 1_000_000,
    trustProxy: values.TRUST_PROXY ?? { kind: 'none' },
    purge: values.PURGE_URL === undefined ? null : { url: values.PURGE_URL, token: values.PURGE_TOKEN ?? null },
    hsts: values.HSTS ?? 'host',
    gtmId: values.GTM_ID ?? null,
    analytics: values.ANALYTICS_SCRIPT
      ? {
          script: values.ANALYTICS_SCRIPT,
          upstream: values.ANALYTICS_UPSTREAM ?? null,
          endpoints: values.ANALYTICS_ENDPOINTS ?? COMMON_ENDPOINTS,
        }
      : null,
    deployEnv: values.DEPLOY_ENV ?? 'production',
    // Other tools use this name too (`DEBUG=pw:api`): ignore their values.
    debug: flag.safeParse(envValue(env, 'DEBUG')).data ?? false,
  };
  return {
    ok: true,
    config,
    warnings: [
      ...misspelledNames(Object.keys(env).filter((name) => envValue(env, name) !== undefined)),
      ...plainTextWarnings(config),
      ...destinationWarnings(config),
    ],
  };
}

/** A shared database needs a shared key: other servers cannot decrypt with the key in this server's data folder. */
function checkKeys(values: Values, problems: string[]): void {
  if (problems.some((problem) => problem.startsWith('SECRET_KEY'))) return;
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined)
    problems.push(
      'SECRET_KEY is missing: with DATABASE_URL all servers of the database must have the same key. Create one with openssl rand -base64 32, or use the key of your single server in DATA_DIR/secret-key.',
    );
  // Otherwise the key in the data folder would encrypt, and no new key would replace the previous ones.
  else if (values.SECRET_KEY_PREVIOUS !== undefined && values.SECRET_KEY === undefined)
    problems.push('SECRET_KEY is missing: with SECRET_KEY_PREVIOUS it must be the new key.');
}

/** Warns about sign-ups that a destination will not get. */
function destinationWarnings({ destination, gtmId, signUpsKeepDays }: Config): string[] {
  const warnings: string[] = [];
  if (destination && signUpsKeepDays === 0)
    warnings.push(
      'SIGN_UPS_KEEP_DAYS is 0: while DESTINATION_URL does not answer, sign-ups that WordPress has are erased before they are sent there. Set at least 1.',
    );
  if (destination && destination.purpose !== 'none' && gtmId === null)
    warnings.push(
      `DESTINATION_PURPOSE is "${destination.purpose}", but without GTM_ID the site does not ask for consent: nothing is sent unless your proxy or your own code sets the cookie "consent".`,
    );
  return warnings;
}

/** Warns about secrets and scripts that would cross a network in plain text. */
function plainTextWarnings({ analytics, content, databaseUrl, purge }: Config): string[] {
  const warnings: string[] = [];
  const check = (name: string, url: string | null | undefined, risk: string) => {
    if (!url) return;
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !isOnThisMachine(hostname))
      warnings.push(`${name} is http:// on another machine: ${risk}. Use https://.`);
  };
  check('PURGE_URL', purge?.token ? purge.url : null, 'others on the network can read its token');
  check(
    'CONTENT_URL',
    content.source === 'wordpress' ? content.url : null,
    'others on the network can read the key and every sign-up',
  );
  check(
    'ANALYTICS_UPSTREAM',
    analytics?.upstream,
    'others on the network can replace the script, which runs on every page',
  );
  const database = databaseUrl === null ? null : new URL(databaseUrl);
  const host = database?.searchParams.get('host') ?? database?.hostname ?? '';
  const isRemote = database !== null && !host.startsWith('/') && !isOnThisMachine(host);
  if (isRemote && !/^(?:require|verify-ca|verify-full)$/.test(database.searchParams.get('sslmode') ?? ''))
    warnings.push(
      'DATABASE_URL is on another machine without TLS: others on the network can read its password. Add ?sslmode=verify-full.',
    );
  return warnings;
}

/** Names that are probably misspelled variables of Pillion. */
function misspelledNames(names: string[]): string[] {
  const knownNames = [...Object.keys(VARIABLES), ...RESERVED, 'DEBUG'];
  return names.flatMap((name) => {
    if (knownNames.includes(name)) return [];
    const intended = knownNames.find(
      (candidate) => candidate.length >= 5 && distance(name, candidate) <= (candidate.length < 9 ? 1 : 2),
    );
    return intended ? [`${name} is unknown. Did you mean ${intended}?`] : [];
  });
}
