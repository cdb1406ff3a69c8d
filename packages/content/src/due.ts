import { z } from 'zod';
import type { Client } from './wordpress/client.ts';
import { PREFIXES } from './wordpress/endpoints.ts';

interface Options {
  client: Pick<Client, 'get' | 'post'>;
  /** Called when WordPress has published pages. */
  onPublished: () => void;
}

/** Interval of the requests. It is also the longest delay for content that was scheduled without a report. */
const EACH_MS = 60_000;

/** Pause if the plugin is too old for the endpoint. */
const ABSENT_MS = 3_600_000;

/** Timeout of a request, in which WordPress may publish many pages. */
const TIMEOUT_MS = 30_000;

/** Shortest time to the next request, also for retries if WordPress' clock is behind the server's. */
const AGAIN_MS = 2_000;

/** Longest delay of Node's timers (2^31 - 1 ms, 25 days). The interval covers later times. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The route's entry in the index of WordPress' REST API. Nothing is posted if the index does not list it. */
const ROUTE = '/pillion/v1/due';
const INDEX = `/wp-json/?_fields=routes.${ROUTE}.methods`;

const indexSchema = z.object({ routes: z.object({ [ROUTE]: z.object({ methods: z.array(z.string()) }) }) });

const answerSchema = z.object({
  published: z.number().int().nonnegative(),
  next: z.string().nullish().catch(null),
});

/**
 * Makes WordPress publish scheduled content that is due, since its cron only runs on visits. Logs nothing: calls that
 * visitors wait for report that WordPress is down.
 */
export function createDuePages({ client, onPublished }: Options) {
  let pulse: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;
  let absentUntil = 0;
  let isKnown = false;
  let isAsking = false;
  let isWantedAgain = false;
  let isClosed = false;

  /** @param didPublish Whether WordPress has just published. Then an overdue time means that more content is due. */
  function askAt(next: number, didPublish: boolean): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (!Number.isFinite(next) || isClosed) return;
    const wait = Math.max(next - Date.now(), AGAIN_MS);
    // A time long past is not a slow clock: WordPress cannot publish the content.
    if (wait > LONGEST_TIMER_MS || (!didPublish && Date.now() - next > EACH_MS)) return;
    timer = setTimeout(ask, wait).unref();
  }

  /** @returns Whether this WordPress has the endpoint. */
  async function knowsDue(): Promise<boolean> {
    if (isKnown) return true;
    const index = await client.get(INDEX, { timeoutMs: TIMEOUT_MS });
    isKnown = index.ok && indexSchema.safeParse(index.data).success;
    // After a network error the next minute tries again.
    if (!isKnown && (index.ok || index.error.kind === 'bad request')) absentUntil = Date.now() + ABSENT_MS;
    return isKnown;
  }

  async function askOnce(): Promise<void> {
    if (!(await knowsDue()) || isClosed) return;
    const answer = await client.post(PREFIXES.due, {}, { timeoutMs: TIMEOUT_MS });
    if (!answer.ok) return;
    const { status, data } = answer.data;
    if (status === 404) {
      isKnown = false;
      absentUntil = Date.now() + ABSENT_MS;
      return;
    }
    const read = status === 200 ? answerSchema.safeParse(data) : null;
    if (!read?.success || isClosed) return;
    const didPublish = read.data.published > 0;
    askAt(read.data.next ? Date.parse(read.data.next) : Number.NaN, didPublish);
    if (didPublish) onPublished();
  }

  function ask(): void {
    if (isClosed || Date.now() < absentUntil) return;
    if (isAsking) {
      isWantedAgain = true;
      return;
    }
    isAsking = true;
    void askOnce().finally(() => {
      isAsking = false;
      if (!isWantedAgain) return;
      isWantedAgain = false;
      ask();
    });
  }

  return {
    /** Sends a request now, every minute, and whenever content is due. */
    begin(): void {
      pulse ??= setInterval(ask, EACH_MS).unref();
      ask();
    },
    /** Sends a request because scheduled content has changed and the known next time may be wrong. */
    ask,
    close(): void {
      isClosed = true;
      if (pulse) clearInterval(pulse);
      if (timer) clearTimeout(timer);
    },
  };
}
