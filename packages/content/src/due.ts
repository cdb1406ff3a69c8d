import { z } from 'zod';
import type { Client } from './wordpress/client.ts';
import { PREFIXES } from './wordpress/endpoints.ts';

/** Asks WordPress to publish what was scheduled and is due: its own clock only ticks when somebody visits it. */
export interface DuePages {
  /** Asks now, and from now on every minute and whenever something falls due. */
  begin: () => void;
  /** Something was scheduled, moved or published: what was said of the next time is out of date. */
  ask: () => void;
  close: () => void;
}

interface Options {
  client: Pick<Client, 'get' | 'post'>;
  /** Called once pages were published. */
  onPublished: () => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Also found this late: what was scheduled by something that told nobody. */
const EACH_MS = 60_000;

/** A plugin from before this does not learn it within the hour. */
const ABSENT_MS = 3_600_000;

/** WordPress may publish many pages in one answer. */
const TIMEOUT_MS = 30_000;

/** Where WordPress' clock is behind ours it is asked again after so long, as often as it takes until the next minute. */
const AGAIN_MS = 2_000;

/** The longest a timer of Node's can wait (2^31 - 1 ms, 25 days): whatever is later is asked for by the minute. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** One row of the index that WordPress has of its own interface. Nothing is posted to one that does not list it. */
const ROUTE = '/pillion/v1/due';
const INDEX = `/wp-json/?_fields=routes.${ROUTE}.methods`;

const indexSchema = z.object({ routes: z.object({ [ROUTE]: z.object({ methods: z.array(z.string()) }) }) });

const answerSchema = z.object({
  published: z.number().int().nonnegative(),
  next: z.string().nullish().catch(null),
});

/** Nothing is logged: a WordPress that is down is told of by the calls that visitors wait for. */
export function createDuePages({ client, onPublished, now = Date.now }: Options): DuePages {
  let pulse: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;
  let absentUntil = 0;
  let isKnown = false;
  let isAsking = false;
  let isWantedAgain = false;
  let isClosed = false;

  /** @param didPublish Whether WordPress has just published: then what is still due waits for the next call alone. */
  function askAt(next: number, didPublish: boolean): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (!Number.isFinite(next) || isClosed) return;
    const wait = Math.max(next - now(), AGAIN_MS);
    // A time long past is not WordPress' clock that is behind: something keeps it from publishing.
    if (wait > LONGEST_TIMER_MS || (!didPublish && now() - next > EACH_MS)) return;
    timer = setTimeout(ask, wait).unref();
  }

  /** @returns Whether this WordPress publishes what is due. */
  async function knowsDue(): Promise<boolean> {
    if (isKnown) return true;
    const index = await client.get(INDEX, { timeoutMs: TIMEOUT_MS });
    isKnown = index.ok && indexSchema.safeParse(index.data).success;
    // One that says nothing now may say it in a minute.
    if (!isKnown && (index.ok || index.error.kind === 'bad request')) absentUntil = now() + ABSENT_MS;
    return isKnown;
  }

  async function askOnce(): Promise<void> {
    if (!(await knowsDue()) || isClosed) return;
    const answer = await client.post(PREFIXES.due, {}, { timeoutMs: TIMEOUT_MS });
    if (!answer.ok) return;
    const { status, data } = answer.data;
    if (status === 404) {
      isKnown = false;
      absentUntil = now() + ABSENT_MS;
      return;
    }
    const read = status === 200 ? answerSchema.safeParse(data) : null;
    if (!read?.success || isClosed) return;
    const didPublish = read.data.published > 0;
    askAt(read.data.next ? Date.parse(read.data.next) : Number.NaN, didPublish);
    if (didPublish) onPublished();
  }

  function ask(): void {
    if (isClosed || now() < absentUntil) return;
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
    begin() {
      pulse ??= setInterval(ask, EACH_MS).unref();
      ask();
    },
    ask,
    close() {
      isClosed = true;
      if (pulse) clearInterval(pulse);
      if (timer) clearTimeout(timer);
    },
  };
}
