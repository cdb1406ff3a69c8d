import { z } from 'zod';
import { addressAt } from '../config/config.ts';
import { type Finding, listed, ok, unasked, warning } from './finding.ts';
import type { Check, Probe } from './probe.ts';

/** Timeout in milliseconds. */
const WITHIN_MS = 5_000;

/** Fewer visitors than this are normal: browser extensions change pages too. */
const FEW = 5;

/** Name of the refused thing, by the first word of the directive. Others are not a problem of the site. */
const REFUSED: Record<string, string> = {
  ...{ script: 'a script', style: 'a style', img: 'a picture', font: 'a typeface', media: 'sound or video' },
  ...{ connect: 'a request', frame: 'a frame', form: 'sending a form', worker: 'a worker', manifest: 'the manifest' },
  ...{ require: 'markup from a script', trusted: 'markup from a script' },
};

/** Other reports, as what happened to a visitor. */
const HAPPENED: Record<string, string> = { error: 'had an error of the site’s script', crash: 'had a crashed page' };

const SAMPLE = /^pillion_browser_reports_(total|first_timestamp_seconds)\{(.*)\} (\S+)$/gm;
const LABEL = /(\w+)="([^"]*)"/g;

const labelsSchema = z.object({ type: z.string(), directive: z.string(), route: z.string() });

interface Happened {
  visitors: number;
  /** Epoch milliseconds. */
  since: number;
  routes: Set<string>;
}

/** What happened to visitors, from the text of `/metrics`. */
function happenedIn(metrics: string): Map<string, Happened> {
  const all = new Map<string, Happened>();
  for (const [, name, labels = '', value] of metrics.matchAll(SAMPLE)) {
    const read = labelsSchema.safeParse(
      Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, is]) => [key, is])),
    );
    if (!read.success || read.data.directive === 'frame-ancestors') continue;
    const { type, directive, route } = read.data;
    const refused = REFUSED[directive.split('-')[0] ?? ''];
    const what = type === 'csp-violation' ? refused && `refused ${refused}` : HAPPENED[type];
    if (!what) continue;
    const known = all.get(what) ?? { visitors: 0, since: Number.POSITIVE_INFINITY, routes: new Set() };
    if (name === 'total') known.visitors += Number(value);
    else known.since = Math.min(known.since, Number(value) * 1000);
    all.set(what, { ...known, routes: known.routes.add(route) });
  }
  return all;
}

/** `14:02`, or with the date if that was not today. */
function timeOf(at: number): string {
  const [day, now] = [new Date(at), new Date()];
  const time = `${day.getHours()}:${String(day.getMinutes()).padStart(2, '0')}`;
  return day.toDateString() === now.toDateString() ? time : `${day.toISOString().slice(0, 10)} ${time}`;
}

function findingOf(what: string, { visitors, since, routes }: Happened): Finding {
  const who = visitors === 1 ? '1 visitor' : `${visitors} visitors`;
  const verb = what.startsWith('had') ? what : `${visitors === 1 ? 'was' : 'were'} ${what}`;
  const says = `${who} ${verb} since ${timeOf(since)} (${listed([...routes])}).`;
  if (visitors < FEW) return ok(says);
  return warning(
    says,
    'Open these pages in a browser: its console names the cause. A proxy, CDN or tag that changes pages is common; so are browser extensions.',
  );
}

/** The metrics of the server, at its public address or on this machine. @returns `null` if they are restricted. */
async function metricsOf({ config: { siteUrl, host, port } }: Pick<Probe, 'config'>): Promise<string | null> {
  const own = addressAt({ host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port });
  for (const url of [siteUrl, own]) {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(WITHIN_MS) }).catch(() => null);
    const text = answer?.ok ? await answer.text() : '';
    if (text.includes('pillion_browser_reports_total')) return text;
  }
  return null;
}

/** What browsers reported to one server since its start. */
async function browsers(probe: Pick<Probe, 'config'>): Promise<Finding[]> {
  const text = await metricsOf(probe);
  if (text === null)
    return [unasked('The site’s /metrics cannot be read from here.', 'Run the doctor on its machine.')];
  const found = [...happenedIn(text)].map(([what, happened]) => findingOf(what, happened));
  return found.length > 0 ? found : [ok('No browser has reported a problem since the server’s start.')];
}

export const BROWSERS: Check = { group: 'Site', name: 'browsers', ask: browsers };
