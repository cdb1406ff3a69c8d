import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { MEDIA_PREFIX } from '@pillion/content/wordpress/rewrite.ts';
import type { Log } from '@pillion/lib/log.ts';
import { mediaName } from '@pillion/lib/media-types.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { EVERYTHING, mediaTag, prefixTags, SHARE } from './tags.ts';

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

const RETRY_PAUSES_MS = [1_000, 10_000];

/** A CDN usually answers within a few hundred milliseconds. */
const CALL_TIMEOUT_MS = 5_000;

/** Longest queue while a CDN is down. One call that purges everything replaces all further ones. */
const MAX_WAITING = 50;

/** Whether a retry may help: a wrong token or address stays wrong. */
const isRetryable = (status: number) => status >= 500 || status === 408 || status === 429;

/** A page that will be published later. A page that was published before has a path, which the CDN may have cached. */
const isScheduled = ({ status, path }: Change) => status === 'future' && path === null;

/** Tags of the changed content itself. Pages and posts share one kind of tag. */
function tagsOfChange({ type, id, path }: Change): string[] {
  const name = type === 'media' && path !== null ? mediaName(path.slice(MEDIA_PREFIX.length)) : null;
  if (name !== null) return [mediaTag(name), SHARE];
  if (type === 'menu') return ['menus'];
  if (type === 'strings' || type === 'redirects') return [type];
  if (id !== null && type === 'form') return [`form:${id}`];
  if (id !== null && (type === 'page' || type === 'post')) return [`page:${id}`];
  return [EVERYTHING];
}

/**
 * Purges the cache of a CDN: one `POST` for each change, in order, with the tags of the affected content. Calls run in the
 * background and are retried.
 */
export function createPurge(options: PurgeOptions) {
  const { url, token, shared, log, onPurged = () => {}, pausesMs = RETRY_PAUSES_MS } = options;
  /** Fingerprints at the last purge. Empty at first, so that the first purge includes all shared content. */
  let lastFingerprints: Record<string, string> = {};
  /** Number of purges in the queue. */
  let waiting = 0;
  /** Whether a purge of everything is in the queue, so that later changes need no other. */
  let isAllWaiting = false;
  let queue: Promise<void> = Promise.resolve();

  /**
   * Tags of the change and of the shared content that has changed since the last purge. Compares with that purge, since a
   * change may be read before its webhook arrives.
   */
  async function tagsToPurge(change: Change): Promise<string[]> {
    const own = tagsOfChange(change);
    const fingerprints = await shared();
    const changed = Object.keys(fingerprints).filter((name) => fingerprints[name] !== lastFingerprints[name]);
    lastFingerprints = fingerprints;
    return own.includes(EVERYTHING) ? [EVERYTHING] : [...own, ...changed];
  }

  /** @returns `isFinal`: a retry cannot help. `why`: the reason of a failure. */
  async function callOnce(tags: string[]): Promise<{ isDone: boolean; isFinal: boolean; why: string }> {
    try {
      const response = await fetch(url, {
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
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      await response.body?.cancel();
      const { ok: isDone, status } = response;
      return { isDone, isFinal: !isRetryable(status), why: `status ${status}` };
    } catch (error) {
      return { isDone: false, isFinal: false, why: (error as Error).message };
    }
  }

  async function purgeTags(tags: string[]): Promise<void> {
    const startedAt = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      const { isDone, isFinal, why } = await callOnce(tags);
      if (isDone) {
        onPurged('ok');
        return log('info', 'purge.done', { tags, tookMs: Math.round(performance.now() - startedAt) });
      }
      const pauseMs = pausesMs[attempt];
      if (isFinal || pauseMs === undefined) {
        onPurged('failed');
        return log('warn', 'purge.failed', {
          ...{ why, tries: attempt + 1, tags },
          advice: 'What the CDN keeps of this stays until it expires there. Check PURGE_URL and PURGE_TOKEN.',
        });
      }
      await pause(pauseMs, undefined, { ref: false });
    }
  }

  return {
    /** Purges what a change affects, in the background. Call it once the site shows the change. */
    purgeChange(change: Change): void {
      if (isScheduled(change) || isAllWaiting) return;
      const isAll = waiting >= MAX_WAITING;
      isAllWaiting = isAll;
      waiting += 1;
      queue = queue
        // The response to the webhook goes first.
        .then(() => new Promise((resolve) => setImmediate(resolve)))
        .then(async () => {
          if (isAll) isAllWaiting = false;
          await purgeTags(prefixTags(isAll ? [EVERYTHING] : await tagsToPurge(change)));
        })
        .catch((error: unknown) => log('error', 'purge.failed', { error }))
        .finally(() => {
          waiting -= 1;
        });
    },
    /** Waits for pending calls. */
    async close(withinMs: number): Promise<void> {
      await valueWithin(withinMs, queue);
    },
  };
}

export type Purge = ReturnType<typeof createPurge>;

/** @returns `null` without a CDN, or if this server receives no webhooks. */
export function purgeFor(config: Config, content: Content, metrics: Metrics, log: Log): Purge | null {
  const { purge, webhookSecret } = config;
  if (purge === null || config.content.source !== 'wordpress' || webhookSecret === null) return null;
  return createPurge({ ...purge, shared: content.fingerprints, log, onPurged: metrics.purged });
}
