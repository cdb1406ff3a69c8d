import { randomUUID } from 'node:crypto';
import { plainText } from '@pillion/content/text/plain-text.ts';
import { endpointPath } from '@pillion/content/wordpress/endpoints.ts';
import { z } from 'zod';
import { broken, type Finding, ok, skipped, warning } from './finding.ts';
import {
  type Check,
  errorCodeOf,
  errorReasonOf,
  factsSchema,
  INDEX_PATH,
  type Index,
  indexSchema,
  type Probe,
  type Seen,
  WRONG_KEY,
} from './probe.ts';

/**
 * Larger differences of the clocks are an error or a warning, in seconds. From 300 s on, signed messages are refused
 * (Standard Webhooks).
 */
const MAX_CLOCK_DIFFERENCE_S = 60;
const CLOCK_WARNING_S = 10;

/** @param reason As returned by `errorReasonOf`: Node's error code, or a message. */
function explainUnreachable(reason: string, url: string): Finding {
  const { hostname, host } = new URL(url);
  if (/ENOTFOUND|EAI_AGAIN/.test(reason))
    return broken(
      `DNS on this machine does not know the name ${hostname}.`,
      'Correct CONTENT_URL, or the DNS entry of that host.',
    );
  if (/ECONNREFUSED/.test(reason))
    return broken(
      `No server listens at ${host}.`,
      'Start WordPress’ web server, or correct host and port in CONTENT_URL.',
    );
  if (url.startsWith('https:') && /EPROTO|ECONNRESET|WRONG_VERSION|PACKET_LENGTH/.test(reason))
    return broken(
      `${host} does not use TLS (${reason}).`,
      'Use http:// in CONTENT_URL, or the port at which WordPress serves https.',
    );
  if (/CERT|SSL|TLS|SIGNED|ALTNAME|ISSUER|UNABLE_TO_/i.test(reason))
    return broken(
      `The certificate of ${hostname} is not valid (${reason}).`,
      'Install a valid certificate with its whole chain. For a private authority set NODE_EXTRA_CA_CERTS.',
    );
  if (/no answer in time|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(reason))
    return broken(
      `No response from ${host} within 10 seconds.`,
      'Check the load of WordPress, and the firewall between it and this machine.',
    );
  return broken(`The connection to ${host} fails (${reason}).`, 'Read the log of WordPress’ web server.');
}

/** @returns The target of a redirect, as a value of CONTENT_URL; `null`: no redirect. */
function redirectTarget({ status, headers }: Seen, url: string): string | null {
  if (status < 300 || status >= 400) return null;
  const location = String(headers.location ?? '');
  const target = URL.parse(location, `${url}/`);
  return target ? `${target.origin}${target.pathname.replace(/\/(wp-json\/?.*)?$/, '')}` : location;
}

const reportRedirect = (target: string, url: string): Finding =>
  broken(
    `${url} redirects to ${target}. Redirects are not followed, so that the key is sent to no other address.`,
    `Set CONTENT_URL=${target}.`,
  );

const isHtml = ({ headers, text }: Seen) =>
  /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text);

const messageSchema = z.object({ message: z.string() });

/** The message of a REST error, or the title of an error page, as a part of a sentence: `, “Forbidden”`. */
const errorTitle = ({ text, data }: Seen) => {
  const message = messageSchema.safeParse(data).data?.message ?? /<title[^>]*>([^<]*)/i.exec(text)?.[1];
  const title = plainText(message ?? '').slice(0, 80);
  return title ? `, “${title}”` : '';
};

/** How WordPress' index begins. */
const INDEX_START = '{"name":';

/** The text before the JSON, such as a message of PHP, without the path in it; `null`: nothing is before it. */
function textBeforeJson({ text, data }: Seen): string | null {
  const jsonStart = text.indexOf(INDEX_START);
  if (data !== undefined || jsonStart <= 0) return null;
  return plainText(text.slice(0, jsonStart))
    .replace(/ in \/.*/s, '')
    .trim()
    .slice(0, 80);
}

/** WordPress' other REST address, which works without rewrite rules. */
const withoutRewriting = (route: string) => `/index.php?rest_route=${route}`;

const hostAndPath = (address: string) => address.replace(/^https?:\/\/|\/+$/g, '');

/** Explains why WordPress answers at its other address only. */
async function explainMissingRewriting(probe: Probe, index: Index): Promise<Finding> {
  const [home, files] = [hostAndPath(index.home), hostAndPath(index.url)];
  if (hostAndPath(probe.wordpress.url) === files && files.startsWith(`${home}/`))
    return broken(
      `WordPress answers /wp-json/ at its Site Address ${index.home}, and CONTENT_URL is the address of its files.`,
      `Set CONTENT_URL=${index.home.replace(/\/+$/, '')}.`,
    );
  const facts = await probe.read(withoutRewriting('/pillion/v1/facts'), factsSchema);
  if (!facts || facts.permalinks === '') return PLAIN_PERMALINKS;
  return broken(
    'The web server does not pass /wp-json/ to WordPress: its rewrite rules are missing.',
    'Apache: “AllowOverride All”, then save Settings → Permalinks, which writes .htaccess. nginx: “try_files $uri $uri/ /index.php?$args;”.',
  );
}

const PERMALINKS = 'In WordPress, Settings → Permalinks: choose “Post name” and save.';
const PLAIN_PERMALINKS = broken('Permalinks are plain, so /wp-json/ does not exist.', PERMALINKS);

async function checkReachable(probe: Probe): Promise<Finding> {
  const { url } = probe.wordpress;
  const seen = await probe.look(INDEX_PATH);
  if (!seen.ok) return explainUnreachable(errorReasonOf(seen.error), url);
  const { status, headers } = seen.data;
  const redirect = redirectTarget(seen.data, url);
  // WordPress in its own directory redirects to the same address.
  if (redirect !== null && redirect !== url) return reportRedirect(redirect, url);
  if (status === 401 && /basic/i.test(headers['www-authenticate'] ?? '') && isHtml(seen.data))
    return broken(
      'The web server asks for a password before WordPress.',
      'Remove the password protection from /wp-json/ and /wp-content/uploads/, at least for the address of this machine.',
    );
  if (status >= 500)
    return broken(
      `WordPress responds with ${status}${errorTitle(seen.data)}.`,
      /maintenance/i.test(seen.data.text)
        ? 'WordPress is in maintenance mode: wait for the end of the update, or delete the file .maintenance in its folder.'
        : 'Read WordPress’ log. Its recovery mode names a plugin that fails.',
    );
  return ok(`${url} responds.`);
}

/** Statuses of a firewall in front of `/wp-json/`. */
const REFUSALS = new Set([401, 403, 429]);

async function checkRestApi(probe: Probe): Promise<Finding> {
  const { url } = probe.wordpress;
  const seen = await probe.look(INDEX_PATH);
  if (!seen.ok) return skipped('WordPress cannot be reached.');
  const code = errorCodeOf(seen.data);
  if (code === WRONG_KEY) return ok('/wp-json/ returns JSON.');
  const index = await probe.index();
  // WordPress may use its old rewrite rules until an administrator saves the permalinks.
  if (index && (await probe.facts())?.permalinks === '')
    return broken('Permalinks are plain, so /wp-json/ disappears with their next change.', PERMALINKS);
  if (index) return ok('/wp-json/ returns JSON.');
  const { status, headers } = seen.data;
  const printed = textBeforeJson(seen.data);
  if (printed !== null)
    return broken(
      `/wp-json/ returns other text before its JSON${printed && `: “${printed}”`}.`,
      'Set display_errors = Off in php.ini, or WP_DEBUG_DISPLAY to false in wp-config.php, and correct what PHP’s log reports. If it is not a message of PHP, remove the text before “<?php” in wp-config.php, the theme or a plugin.',
    );
  const plain = await probe.read(withoutRewriting('/'), indexSchema);
  if (plain && !REFUSALS.has(status)) return explainMissingRewriting(probe, plain);
  if (isHtml(seen.data))
    return broken(
      `The response is HTML instead of JSON (status ${status}${errorTitle(seen.data)}).`,
      `Switch off the maintenance page, coming soon page or firewall in front of WordPress, or correct CONTENT_URL: ${url}/wp-json/ must return JSON.`,
    );
  if (status === 401 || status === 403 || code !== '')
    return broken(
      `The REST API is closed (${status}${code && `, ${code}`}).`,
      'Configure the plugin or firewall that closes it to allow requests with the consumer key.',
    );
  if (seen.data.data !== undefined)
    return broken(
      `/wp-json/ returns JSON that is not WordPress’ index (status ${status}): a plugin changes the responses of the REST API.`,
      'Switch off the plugin that wraps or replaces REST responses, or let it leave requests with Authorization unchanged.',
    );
  return broken(
    `${url} is not a WordPress (status ${status}, ${headers['content-type'] ?? 'no content type'}).`,
    'Correct CONTENT_URL: the address of WordPress with its folder, if it has one, without /wp-json.',
  );
}

async function checkClocks(probe: Probe): Promise<Finding> {
  // Caches do not store responses that need the key, so their date is current.
  const seen = (await probe.facts()) ? await probe.look(probe.paths.facts) : await probe.look(INDEX_PATH);
  if (!seen.ok) return skipped('WordPress cannot be reached.');
  const sentAt = Date.parse(seen.data.headers.date ?? '');
  if (!Number.isFinite(sentAt)) return skipped('WordPress’ responses have no date.');
  // The `Date` header has whole seconds: on average it is half a second behind.
  const aheadS = Math.round((sentAt + 500 - seen.data.at) / 1000);
  const said = `WordPress’ clock is ${Math.abs(aheadS)} s ${aheadS < 0 ? 'behind' : 'ahead of'} this machine’s`;
  const todo = 'Synchronise the clocks of both machines by NTP (timedatectl set-ntp true).';
  if (Math.abs(aheadS) > MAX_CLOCK_DIFFERENCE_S)
    return broken(`${said}. From 300 s on, webhooks and receipts are refused.`, todo);
  if (Math.abs(aheadS) > CLOCK_WARNING_S) return warning(`${said}.`, todo);
  return ok('The clocks agree.');
}

/** Caches send `hit` in one of `CACHE_HEADERS`. */
const CACHE_HIT = /\bhit\b/i;
const CACHE_HEADERS = [
  'x-cache',
  'cf-cache-status',
  'x-litespeed-cache',
  'x-proxy-cache',
  'x-cache-status',
  'cache-status',
];

/** Header of the plugin with a different value in each response. */
const MADE_HEADER = 'x-pillion-made';

const EXCLUDE_ADVICE =
  'Exclude /wp-json/ from the page cache, plugin or CDN, and empty it. Requests with Authorization must bypass it.';

/** Finds out why the header is missing in a response at `path`, with an address that no cache has stored. */
async function explainMissingHeader(probe: Probe, path: string): Promise<Finding> {
  const fresh = await probe.lookAgain(`${path}&fresh=${randomUUID()}`);
  if (fresh.ok && fresh.data.headers[MADE_HEADER] !== undefined)
    return broken(
      'A page cache answers instead of WordPress, without the header X-Pillion-Made. Changes reach the site late, and a receipt may report a change as live too early.',
      EXCLUDE_ADVICE,
    );
  return broken(
    'WordPress’ responses arrive without the header X-Pillion-Made: a proxy changes or replaces them.',
    `Configure the proxy in front of WordPress to pass this header on. ${EXCLUDE_ADVICE}`,
  );
}

async function checkCaches(probe: Probe): Promise<Finding> {
  if (!(await probe.index())) return skipped('The REST API cannot be read.');
  const path = endpointPath({ name: 'strings', lang: probe.lang });
  const [first, again] = [await probe.look(path), await probe.lookAgain(path)];
  if (!first.ok || !again.ok || again.data.status !== 200) return skipped('The texts cannot be read.');
  const { headers } = again.data;
  const made = headers[MADE_HEADER];
  if (made === undefined && (await probe.facts())) return explainMissingHeader(probe, path);
  const isSame = made !== undefined && made === first.data.headers[MADE_HEADER];
  const isOld = Number(headers.age ?? 0) > 0;
  const hitHeader = CACHE_HEADERS.find((name) => CACHE_HIT.test(String(headers[name] ?? ''))) ?? (isOld ? 'age' : null);
  if (!isSame && hitHeader === null) return ok('Each response comes from WordPress.');
  const proof = hitHeader === null ? '' : ` (${hitHeader}: ${headers[hitHeader]})`;
  return broken(
    `A cache in front of WordPress answers instead of it${proof}, so changes reach the site late.`,
    EXCLUDE_ADVICE,
  );
}

/** If one of these fails, no other check can run. */
export const REACH: Check[] = [
  { group: 'Connection', name: 'WordPress', run: checkReachable },
  { group: 'Connection', name: 'REST API', run: checkRestApi },
];

export const CONNECTION: Check[] = [
  { group: 'Connection', name: 'clocks', run: checkClocks },
  { group: 'Connection', name: 'cache', run: checkCaches },
];
