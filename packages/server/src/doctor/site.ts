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
    const response = await fetch(`${config.siteUrl}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(SITE_TIMEOUT_MS),
    });
    return { status: response.status, text: (await response.text()).trim().slice(0, 200) };
  } catch {
    return null;
  }
}

const notRunningText = (url: string) => `No site runs at ${url} (SITE_URL).`;

async function checkSite(probe: Probe): Promise<Finding> {
  const { siteUrl } = probe.config;
  const readiness = await requestReadiness(probe);
  if (!readiness) return skipped(notRunningText(siteUrl), 'Start the site, or correct SITE_URL, to include it.');
  if (readiness.status === 200) return ok(`${siteUrl} is ready.`);
  if (readiness.status === 503)
    return broken(`${siteUrl} is not ready: ${readiness.text}.`, 'Read its log, which names what is missing.');
  return broken(
    `${siteUrl} (SITE_URL) is not a Pillion site (status ${readiness.status} for /readyz).`,
    'Correct SITE_URL, or configure the proxy to forward all requests to the site.',
  );
}

/** @returns The wrong status or type of the response; `null`: it is a picture. Rejects without a response. */
async function findPictureProblem(address: string): Promise<string | null> {
  const response = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(SITE_TIMEOUT_MS) });
  if (!response.ok) return `the status ${response.status}`;
  const type = response.headers.get('content-type');
  if (!type) return 'no type';
  return type.startsWith('image/') ? null : `the type ${type}`;
}

/** Requests a picture at its public address, through any proxy in front of the site. */
async function checkPictures(probe: Probe): Promise<Finding> {
  const { siteUrl } = probe.config;
  const path = (await newestPicture(probe))?.path;
  if (!path) return skipped('WordPress has no picture to test with.');
  if (!(await requestReadiness(probe))) return skipped(notRunningText(siteUrl));
  const problem = await findPictureProblem(siteUrl + path).catch((error: Error) => `an error (${error.message})`);
  if (problem === null) return ok('Visitors get pictures of the media library.');
  return broken(
    `Visitors get no pictures: the response of ${siteUrl}${path} has ${problem}.`,
    'If “Content: pictures” is ok, restart the site with this version, and configure the proxy to forward /media/ to it.',
  );
}

/** Result of the plugin's test message to the site. `problem`: one sentence in the language of WordPress. */
const testSchema = z.object({ ok: z.boolean(), problem: z.string(), ms: z.number() });

/** A test message that takes longer is a warning, in milliseconds. */
const SLOW_MS = 5_000;

/** In the plugin's English sentence (plugins/pillion/src/Site/Connection.php). Other languages get the general advice. */
const CERTIFICATE = /certificate/i;

/** In the plugin's sentence, in every language: WordPress blocks outgoing requests. */
const BLOCKED = 'WP_ACCESSIBLE_HOSTS';

/** @param to Address of the site in WordPress. @param problem The plugin's sentence. */
async function explainFailedWebhook(probe: Probe, to: string, problem: string): Promise<Finding> {
  const { siteUrl } = probe.config;
  if (!(await requestReadiness(probe))) return skipped(`${notRunningText(siteUrl)} WordPress says: ${problem}`);
  if (CERTIFICATE.test(problem))
    return broken(
      `WordPress cannot notify ${to}: ${problem}`,
      'If the certificate is valid, WordPress does not know its authority. For a private authority, set the path of its root certificates as “sslcertificates” with the filter http_request_args.',
    );
  if (problem.includes(BLOCKED))
    return broken(
      `WordPress cannot notify ${to}: it blocks outgoing requests.`,
      `In its wp-config.php add ${new URL(to).hostname} to WP_ACCESSIBLE_HOSTS, or remove WP_HTTP_BLOCK_EXTERNAL.`,
    );
  return broken(
    `WordPress cannot notify ${to}: ${problem}`,
    `In WordPress, Pillion → Site: enter the site’s address (${siteUrl}) and the secret of its WEBHOOK_SECRET.`,
  );
}

async function checkWebhook(probe: Probe): Promise<Finding> {
  const { webhookSecret } = probe.config;
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
  const response = await probe.look(probe.paths.webhook);
  const test = response.ok ? testSchema.safeParse(response.data.data).data : undefined;
  if (!test) return skipped('WordPress did not answer the test.');
  const to = facts.site.address;
  if (!test.ok) return explainFailedWebhook(probe, to, test.problem);
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
