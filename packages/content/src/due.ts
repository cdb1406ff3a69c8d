import { z } from 'zod';
import type { Client } from './wordpress/client.ts';
import { PREFIXES } from './wordpress/endpoints.ts';

interface Options {
  client: Pick<Client, 'get' | 'post'>;
  /** Called when WordPress has published pages. */
  onPublished: () => void;
}

/** Interval of the requests. It is also the longest delay for content that was scheduled without a report. */
const INTERVAL_MS = 60_000;

/** Pause if WordPress does not have the endpoint. */
const ABSENT_PAUSE_MS = 3_600_000;

/** Timeout of a request, in which WordPress may publish many pages. */
const TIMEOUT_MS = 30_000;

/** Shortest time to the next request, also for retries if WordPress' clock is behind the server's. */
const MIN_DELAY_MS = 2_000;

/** Longest delay of Node's timers (2^31 - 1 ms, 25 days). The interval covers later times. */
const MAX_TIMER_MS = 2_147_483_647;

/** The route's entry in the index of WordPress' REST API. Nothing is posted if the index does not list it. */
const ROUTE = '/pillion/v1/due';
const INDEX = `/wp-json/?_fields=routes.${ROUTE}.methods`;

const indexSchema = z.object({ routes: z.object({ [ROUTE]: z.object({ methods: z.array(z.string()) }) }) });

const responseSchema = z.object({
  published: z.number().int().nonnegative(),
  next: z.string().nullish().catch(null),
});

/**
 * Makes WordPress publish scheduled content that is due, since its cron only runs on visits. Logs nothing: calls that
 * visitors wait for report that WordPress is down.
 */
export function createDuePages({ client, onPublished }: Options) {
  let interval: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;
  let absentUntil = 0;
  let isEndpointKnown = false;
  let isRequesting = false;
  let isRequestQueued = false;
  let isClosed = false;

  /**
   * @param dueAt When the next content is due, in epoch milliseconds; `null`: WordPress has no scheduled content.
   * @param didPublish Whether WordPress has just published. Then an overdue time means that more content is due.
   */
  function scheduleRequest(dueAt: number | null, didPublish: boolean): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (dueAt === null || Number.isNaN(dueAt) || isClosed) return;
    const delayMs = Math.max(dueAt - Date.now(), MIN_DELAY_MS);
    // A time long past is not a slow clock: WordPress cannot publish the content.
    if (delayMs > MAX_TIMER_MS || (!didPublish && Date.now() - dueAt > INTERVAL_MS)) return;
    timer = setTimeout(publishDue, delayMs).unref();
  }

  /** @returns Whether this WordPress has the endpoint. */
  async function hasEndpoint(): Promise<boolean> {
    if (isEndpointKnown) return true;
    const index = await client.get(INDEX, { timeoutMs: TIMEOUT_MS });
    isEndpointKnown = index.ok && indexSchema.safeParse(index.data).success;
    // After a network error the next minute tries again.
    if (!isEndpointKnown && (index.ok || index.error.kind === 'bad request'))
      absentUntil = Date.now() + ABSENT_PAUSE_MS;
    return isEndpointKnown;
  }

  async function requestPublishing(): Promise<void> {
    if (!(await hasEndpoint()) || isClosed) return;
    const response = await client.post(PREFIXES.due, {}, { timeoutMs: TIMEOUT_MS });
    if (!response.ok) return;
    const { status, data } = response.data;
    if (status === 404) {
      isEndpointKnown = false;
      absentUntil = Date.now() + ABSENT_PAUSE_MS;
      return;
    }
    const result = status === 200 ? responseSchema.safeParse(data) : null;
    if (!result?.success || isClosed) return;
    const didPublish = result.data.published > 0;
    scheduleRequest(result.data.next ? Date.parse(result.data.next) : null, didPublish);
    if (didPublish) onPublished();
  }

  function publishDue(): void {
    if (isClosed || Date.now() < absentUntil) return;
    if (isRequesting) {
      isRequestQueued = true;
      return;
    }
    isRequesting = true;
    void requestPublishing().finally(() => {
      isRequesting = false;
      if (!isRequestQueued) return;
      isRequestQueued = false;
      publishDue();
    });
  }

  return {
    /** Sends a request now, every minute, and whenever content is due. */
    begin(): void {
      interval ??= setInterval(publishDue, INTERVAL_MS).unref();
      publishDue();
    },
    /** Sends a request because scheduled content has changed and the known next time may be wrong. */
    publishDue,
    close(): void {
      isClosed = true;
      if (interval) clearInterval(interval);
      if (timer) clearTimeout(timer);
    },
  };
}
