import { z } from 'zod';
import { newestPicture } from './content.ts';
import { DESTINATION } from './destination.ts';
import { broken, type Finding, ok, skipped, warning } from './finding.ts';
import type { Check, Probe } from './probe.ts';
import { SERVERS, STORE } from './store.ts';

/** Timeout in milliseconds. A running site responds much faster, even through a proxy. */
const SITE_TIMEOUT_MS = 5_000;

/** Requests the site's health endpoint. @returns `null` without a response. */
async function requestReadiness({ config }: Probe): Promise<{ status: number; text: string } | null> {
  try {
    const answer = await fetch(`${config.siteUrl}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(SITE_TIMEOUT_MS),
    });
    return { status: answer.status, text: (await answer.text()).trim().slice(0, 200) };
  } catch {
    return null;
  }
}

const notRunningText = (url: string) => `No site runs at ${url} (SITE_URL).`;

async function checkSite(probe: Probe): Promise<Finding> {
  const { siteUrl } = probe.config;
  const answer = await requestReadiness(probe);
  if (!answer) return skipped(notRunningText(siteUrl), 'Start the site, or correct SITE_URL, to include it.');
  if (answer.status === 200) return ok(`${siteUrl} is ready.`);
  if (answer.status === 503)
    return broken(`${siteUrl} is not ready: ${answer.text}.`, 'Read its log, which names what is missing.');
  return broken(
    `${siteUrl} (SITE_URL) is not a Pillion site (status ${answer.status} for /readyz).`,
    'Correct SITE_URL, or configure the proxy to forward all requests to the site.',
  );
}

/** The type of a file, or the reason of a failure. */
const fetchContentType = (address: string) =>
  fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(SITE_TIMEOUT_MS) }).then(
    (answer) => (answer.ok ? (answer.headers.get('content-type') ?? '') : `status ${answer.status}`),
    (error: unknown) => String(error),
  );

/** Requests a picture at its public address, through any proxy in front of the site. */
async function checkPictures(probe: Probe): Promise<Finding> {
  const { siteUrl } = probe.config;
  const path = (await newestPicture(probe))?.path;
  if (!path) return skipped('WordPress has no picture to test with.');
  if (!(await requestReadiness(probe))) return skipped(notRunningText(siteUrl));
  const type = await fetchContentType(siteUrl + path);
  if (type.startsWith('image/')) return ok('Visitors get pictures of the media library.');
  return broken(
    `Visitors get no pictures: the response of ${siteUrl}${path} has ${type ? `the type ${type}` : 'no type'}.`,
    'If “Content: pictures” is ok, restart the site with this version, and configure the proxy to forward /media/ to it.',
  );
}

const testSchema = z.object({ ok: z.boolean(), problem: z.string(), ms: z.number() });

/** A change that takes longer is reported as slow, in milliseconds. */
const SLOW_MS = 5_000;

/** In the plugin's sentence (plugins/pillion/src/Site/Connection.php). In other languages the general advice follows. */
const CERTIFICATE = /certificate/i;

/** In the plugin's sentence, in every language: WordPress blocks outgoing requests. */
const BLOCKED = 'WP_ACCESSIBLE_HOSTS';

async function checkWebhook(probe: Probe): Promise<Finding> {
  const { siteUrl, webhookSecret } = probe.config;
  const facts = await probe.facts();
  if (!facts) return skipped('This test needs a valid key.');
  if (!facts.site.is_configured && webhookSecret === null)
    return warning(
      'WordPress does not notify the site of changes: they show within a minute, and editors get no receipt.',
      'In WordPress, Pillion → Site: enter the site’s address. Then start the site with the secret as WEBHOOK_SECRET.',
    );
  if (!facts.site.is_configured)
    return broken(
      'The site expects webhooks, but WordPress does not know its address.',
      'In WordPress, Pillion → Site: enter the site’s address and the secret of WEBHOOK_SECRET.',
    );
  if (webhookSecret === null)
    return broken(
      'WordPress sends webhooks, but the site refuses them: WEBHOOK_SECRET is not set.',
      'Start the site with the secret of Pillion → Site as WEBHOOK_SECRET. If it is lost, create a new one there.',
    );
  const answer = await probe.look(probe.paths.webhook);
  const test = answer.ok ? testSchema.safeParse(answer.data.data).data : undefined;
  if (!test) return skipped('WordPress did not answer the test.');
  const to = facts.site.address;
  if (!test.ok && !(await requestReadiness(probe)))
    return skipped(`${notRunningText(siteUrl)} WordPress says: ${test.problem}`);
  if (!test.ok && CERTIFICATE.test(test.problem))
    return broken(
      `WordPress cannot notify ${to}: ${test.problem}`,
      'If the certificate is valid, WordPress does not know its authority. For a private authority, set the path of its root certificates as “sslcertificates” with the filter http_request_args.',
    );
  if (!test.ok && test.problem.includes(BLOCKED))
    return broken(
      `WordPress cannot notify ${to}: it blocks outgoing requests.`,
      `In its wp-config.php add ${new URL(to).hostname} to WP_ACCESSIBLE_HOSTS, or remove WP_HTTP_BLOCK_EXTERNAL.`,
    );
  if (!test.ok)
    return broken(
      `WordPress cannot notify ${to}: ${test.problem}`,
      `In WordPress, Pillion → Site: enter the site’s address (${siteUrl}) and the secret of its WEBHOOK_SECRET.`,
    );
  const took = `WordPress notified ${to}, and the site fetched the change, in ${test.ms} ms`;
  if (test.ms > SLOW_MS)
    return warning(`${took}.`, 'Check the load of WordPress: editors wait this long for a receipt.');
  return ok(`${took}.`);
}

export const SITE: Check[] = [
  STORE,
  DESTINATION,
  SERVERS,
  { group: 'Site', name: 'site', run: checkSite },
  { group: 'Site', name: 'pictures on it', run: checkPictures },
  { group: 'Site', name: 'webhook', run: checkWebhook },
];
