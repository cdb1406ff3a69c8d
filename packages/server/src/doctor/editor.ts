import { type Client, createClient } from '@pillion/content/wordpress/client.ts';
import { broken, type Finding, ok, skipped } from './finding.ts';
import { type Check, errorCodeOf, errorReasonOf, factsSchema, type Probe } from './probe.ts';

/** Timeout of one request, in milliseconds. */
const TIMEOUT_MS = 10_000;

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

const HOME_ADVICE = 'leave Site Address (WP_HOME) at the site’s address, or set it to WordPress’ own';

/**
 * Sends the request of a save without the permission for it, which WordPress must refuse.
 * @param rest URL of the REST API, on the host of `client`, with a slash at its end.
 * @param siteUrl URL that WordPress reports if the request reaches the right one.
 * @returns The problem; `''`: WordPress refused the request as expected.
 */
async function tryToSave(client: Client, rest: string, siteUrl: string): Promise<string> {
  const path = rest.slice(new URL(rest).origin.length);
  const read = await client.get(`${path}pillion/v1/facts`);
  if (!read.ok) return errorReasonOf(read.error);
  if (factsSchema.safeParse(read.data).data?.url !== siteUrl) return 'another WordPress answers';
  const sent = await client.post(`${path}wp/v2/pages`, {});
  if (!sent.ok) return errorReasonOf(sent.error);
  const { status } = sent.data;
  // Only WordPress' own refusal has a code.
  return (status === 401 || status === 403) && errorCodeOf(sent.data) !== '' ? '' : `status ${status}`;
}

async function checkSaving(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return skipped('Only the Pillion plugin reports where the block editor saves.');
  const { rest } = facts;
  const [target, admin] = [new URL(rest), new URL(facts.url)];
  if (target.host !== admin.host)
    return broken(
      `The block editor cannot save: it sends to ${rest}, and browsers block that request from wp-admin at ${admin.host}.`,
      `Update the Pillion plugin, and switch off the plugin that changes REST addresses (filter rest_url); ${HOME_ADVICE}.`,
    );
  const { url, key, secret } = probe.wordpress;
  // The key is sent only to the host that it is for.
  if (target.host !== new URL(url).host)
    return skipped(`The block editor saves at ${rest}; this check can reach only ${new URL(url).host}.`);
  const client = createClient({ baseUrl: new URL(url).origin, key, secret, timeoutMs: TIMEOUT_MS });
  const problem = await tryToSave(client, rest, facts.url);
  client.close();
  if (problem === '') return ok(`The block editor saves at ${rest}, and WordPress responds there.`);
  return broken(
    `The block editor cannot save: it sends to ${rest}, and the request does not arrive there (${problem}).`,
    `Configure the web server to pass ${target.pathname} to WordPress, including POST; ${HOME_ADVICE}.`,
  );
}

const SCHEME_SOURCE = /^[a-z][\w+.-]*:$/;
const HOST_SOURCE = /^(?:([a-z][\w+.-]*:)\/\/)?(\*|(?:\*\.)?[\w.-]+|\[[\da-f:]+\])(?::(\d+|\*))?(?:\/|$)/;

/** A policy with http also allows https. */
const allowsScheme = (scheme: string, to: URL) =>
  scheme === to.protocol || (scheme === 'http:' && to.protocol === 'https:');

/**
 * Whether a source of a policy allows an address (Content Security Policy 3, 6.7.2.8). It ignores paths.
 * @param source In lower case.
 * @param own Address of the page with the policy.
 */
function allows(source: string, to: URL, own: URL): boolean {
  if (source === '*') return true;
  if (source === "'self'") return to.host === own.host && allowsScheme(own.protocol, to);
  if (SCHEME_SOURCE.test(source)) return allowsScheme(source, to);
  const [, scheme = own.protocol, host = '', port = ''] = HOST_SOURCE.exec(source) ?? [];
  const isHost = host.startsWith('*') ? to.hostname.endsWith(host.slice(1)) : host === to.hostname;
  const isPort = port === '*' || port === to.port || (to.port === '' && port === DEFAULT_PORTS[to.protocol]);
  return host !== '' && isHost && isPort && allowsScheme(scheme, to);
}

/**
 * Whether a `Content-Security-Policy` allows frames of an address. Frames fall back to `child-src` and `default-src`. The
 * first directive of a name applies.
 */
export function allowsFrames(policy: string, to: URL, own: URL): boolean {
  const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
  const directive = ['frame-src', 'child-src', 'default-src']
    .map((wanted) => directives.find(([name]) => name === wanted))
    .find((found) => found !== undefined);
  return !directive || directive.slice(1).some((source) => allows(source, to, own));
}

/** Reads the policy of wp-admin's login page, since web servers and security plugins set one for all of wp-admin. */
async function checkPane(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return skipped('Only the Pillion plugin reports where wp-admin is.');
  const site = new URL(probe.config.siteUrl);
  const login = await fetch(`${facts.url.replace(/\/+$/, '')}/wp-login.php`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (!login) return skipped(`wp-admin does not answer at ${facts.url}.`);
  const policies = (login.headers.get('content-security-policy') ?? '').split(',');
  if (policies.every((policy) => allowsFrames(policy, site, new URL(facts.url))))
    return ok('wp-admin may show the site in a frame.');
  return broken(
    `The Content-Security-Policy of wp-admin does not allow frames of ${site.origin}: the site’s pane stays empty.`,
    `Add ${site.origin} to its frame-src, in the web server or in the plugin that sets the header.`,
  );
}

export const EDITOR: Check[] = [
  { group: 'Editor', name: 'saving', run: checkSaving },
  { group: 'Editor', name: 'pane', run: checkPane },
];
