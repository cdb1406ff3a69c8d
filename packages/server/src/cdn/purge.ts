import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { MEDIA_PREFIX } from '@pillion/content/wordpress/rewrite.ts';
import type { Log } from '@pillion/lib/log.ts';
import { mediaName } from '@pillion/lib/media-types.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { EVERYTHING, mediaTag, namedTags, SHARE } from './tags.ts';

export interface PurgeOptions {
  url: string;
  /** Sent as `Authorization: Bearer`; `null`: no header. */
  token: string | null;
  /** Content that pages share, each part with a fingerprint (`Content.fingerprints`). */
  shared: () => Promise<Record<string, string>>;
  log: Log;
  onPurged?: (outcome: 'ok' | 'failed') => void;
  /** Pauses before each retry of a call, in milliseconds. */
  pausesMs?: readonly number[];
}

const PAUSES_MS = [1_000, 10_000];

/** Timeout of one call, in milliseconds. A CDN usually answers within a few hundred. */
const TRY_MS = 5_000;

/** Longest queue while a CDN is down. One call that purges everything replaces all further ones. */
const MOST_WAITING = 50;

/** Whether a retry may help: a wrong token or address stays wrong. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

/** Tags of the changed content itself. Pages and posts share one kind of tag. */
function ownTags({ type, id, path }: Change): string[] {
  const name = type === 'media' && path !== null ? mediaName(path.slice(MEDIA_PREFIX.length)) : null;
  if (name !== null) return [mediaTag(name), SHARE];
  if (type === 'menu') return ['menus'];
  if (type === 'strings' || type === 'redirects') return [type];
  if (id !== null && type === 'form') return [`form:${id}`];
  if (id !== null && (type === 'page' || type === 'post')) return [`page:${id}`];
  return [EVERYTHING];
}

export interface Purge {
  /** Purges what a change affects, in the background. Call it once the site shows the change. */
  changed: (change: Change) => void;
  /** Waits for pending calls. @param withinMs Timeout in milliseconds. */
  close: (withinMs: number) => Promise<void>;
}

/**
 * Purges the cache of a CDN: one `POST` for each change, in order, with the tags of the affected content. Calls run in the
 * background and are retried.
 */
export function createPurge(options: PurgeOptions): Purge {
  const { url, token, shared, log, onPurged = () => {}, pausesMs = PAUSES_MS } = options;
  /** Fingerprints at the last purge. Empty at first, so that the first purge includes all shared content. */
  let last: Record<string, string> = {};
  let waiting = 0;
  let isAllWaiting = false;
  let done: Promise<void> = Promise.resolve();

  /** Compares with the last purge, since a change may be read before its webhook arrives. */
  async function tagsOf(change: Change): Promise<string[]> {
    const own = ownTags(change);
    const now = await shared();
    const changed = Object.keys(now).filter((name) => now[name] !== last[name]);
    last = now;
    return own.includes(EVERYTHING) ? [EVERYTHING] : [...own, ...changed];
  }

  async function attempt(tags: string[]): Promise<{ isDone: boolean; isFinal: boolean; why: string }> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // For caches whose rules read headers only: Varnish's xkey, Fastly.
          'cache-tag': tags.join(','),
          'surrogate-key': tags.join(' '),
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ tags }),
        redirect: 'error',
        signal: AbortSignal.timeout(TRY_MS),
      });
      await answer.body?.cancel();
      return { isDone: answer.ok, isFinal: !isPassing(answer.status), why: `status ${answer.status}` };
    } catch (error) {
      return { isDone: false, isFinal: false, why: (error as Error).message };
    }
  }

  async function send(named: string[]): Promise<void> {
    const begun = performance.now();
    for (let at = 0; ; at += 1) {
      const { isDone, isFinal, why } = await attempt(named);
      if (isDone) {
        onPurged('ok');
        return log('info', 'purge.done', { tags: named, tookMs: Math.round(performance.now() - begun) });
      }
      const wait = pausesMs[at];
      if (isFinal || wait === undefined) {
        onPurged('failed');
        return log('warn', 'purge.failed', {
          ...{ why, tries: at + 1, tags: named },
          advice: 'What the CDN keeps of this stays until it expires there. Check PURGE_URL and PURGE_TOKEN.',
        });
      }
      await pause(wait, undefined, { ref: false });
    }
  }

  return {
    changed(change) {
      if (change.status === 'future' || isAllWaiting) return;
      isAllWaiting = waiting >= MOST_WAITING;
      const isAll = isAllWaiting;
      waiting += 1;
      done = done
        // The response to the webhook goes first.
        .then(() => new Promise((resolve) => setImmediate(resolve)))
        .then(async () => {
          if (isAll) isAllWaiting = false;
          await send(namedTags(isAll ? [EVERYTHING] : await tagsOf(change)));
        })
        .catch((error: unknown) => log('error', 'purge.failed', { error }))
        .finally(() => {
          waiting -= 1;
        });
    },
    async close(withinMs) {
      await valueWithin(withinMs, done);
    },
  };
}

/** @returns `null` without a CDN, or if this server receives no webhooks. */
export function purgeFor(config: Config, content: Content, metrics: Metrics, log: Log): Purge | null {
  const { purge, webhookSecret } = config;
  if (purge === null || config.content.source !== 'wordpress' || webhookSecret === null) return null;
  return createPurge({ ...purge, shared: content.fingerprints, log, onPurged: metrics.purged });
}
