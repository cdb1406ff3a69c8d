import { createLimit } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Confirmation, Payload } from '../outbox/payload.ts';
import { STUBBORN_FROM, type StoredSignUp } from '../store/store.ts';
import { LONGEST_PAUSE_MS, pauseAfter } from './pause.ts';
import { nameOfReason } from './reasons.ts';
import type { Verdict } from './verdict.ts';

/** All that goes to WordPress of one sign-up. */
export interface Outgoing extends Pick<Payload, 'answers'>, Partial<Pick<Payload, 'files' | 'origin'>> {
  signUpId: string;
  formId: number;
}

/** Hands one sign-up to WordPress. Never rejects; ends early, as failed, when the signal says so. */
export type Send = (signUp: Outgoing, signal: AbortSignal) => Promise<Verdict>;

/** What became of one attempt. */
export type AttemptOutcome = 'delivered' | 'postponed' | 'dead';

/** Attempts under way at once, and how many of them for rows that keep failing. */
const PARALLEL = 6;
const STUBBORN_PARALLEL = 4;
/** While WordPress seems down: enough to find out, and room for a fresh one beside a stubborn one. */
const PROBES = 2;
const STUBBORN_PROBES = 1;

/** What its form does not take now is tried so often, over some minutes: an editor may be at it. Then an operator is asked. */
const BLOCKED_ATTEMPTS = 8;

/** A sign-up with files is held several times over while it is sent: those from this many bytes on go one by one. */
const HEAVY_BYTES = 1_000_000;

/** A worker that died gives its rows back after this, in milliseconds: longer than an attempt and its bookkeeping take. */
const LEASE_MS = 20_000;

/** Another process may have put something in, and WordPress may be back, in milliseconds. */
const POLL_MS = 1_000;

/** Nothing is ever put off further than this, so that what seems to be was written before the clock was set back. */
const HORIZON_MS = LONGEST_PAUSE_MS + LEASE_MS;

const isHeavy = ({ payload }: StoredSignUp) => (payload?.byteLength ?? 0) >= HEAVY_BYTES;

/** Counted before this attempt, as the store counts. */
const isStubborn = ({ attempts }: StoredSignUp) => attempts - 1 >= STUBBORN_FROM;

export interface DeliveryOptions {
  outbox: Outbox;
  send: Send;
  log: Log;
  /** Counts attempts. */
  metrics: { attempted: (outcome: AttemptOutcome) => void };
  /** Wall clock, in milliseconds; may jump. */
  now?: () => number;
  random?: () => number;
  /** How often the store is looked at without anybody waking the worker. Default: `POLL_MS`. */
  pollMs?: number;
}

export interface Delivery {
  start: () => void;
  /** Something new is in the store. */
  wake: () => void;
  /**
   * What WordPress says to the visitor, where its answer comes in time.
   * @param withinMs Longest wait. While WordPress seems down nobody is waited for.
   */
  confirmationOf: (signUpId: string, withinMs: number) => Promise<Confirmation | null>;
  /** Takes up nothing more and finishes what it holds; after `withinMs` it breaks that off and puts it back. */
  stop: (withinMs: number) => Promise<void>;
}

/** Takes sign-ups from the store to WordPress, each until WordPress has said yes or no. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { outbox, send, log, metrics, now = Date.now, random = Math.random, pollMs = POLL_MS } = options;
  const { store } = outbox;
  const underWay = new Set<Promise<void>>();
  const heavy = createLimit(1);
  const breakingOff = new AbortController();
  let stubborn = 0;
  let successes = 0;
  /** An attempt failed and none has succeeded since. */
  let isDown = false;
  /** WordPress asked to be left alone until then, by the monotonic clock. */
  let restUntil = 0;
  let poll: NodeJS.Timeout | null = null;
  let filling: Promise<void> | null = null;

  /** A lease written under the name of one attempt. */
  const leaseOf = ({ signUpId, attempts }: StoredSignUp) => ({ signUpId, attempt: attempts });
  const named = ({ signUpId, formId, attempts }: StoredSignUp) => ({
    sign_up_id: signUpId,
    form_id: formId,
    attempt: attempts,
  });

  /** Visitors who wait to be told, by sign-up. */
  const awaited = new Map<string, { told: Promise<Confirmation | null>; tell: (said: Confirmation | null) => void }>();

  async function delivered(signUp: StoredSignUp, payload: Payload, confirmation: Confirmation | null): Promise<void> {
    successes += 1;
    await store.deliver(signUp.signUpId, now(), outbox.sealDelivered(signUp.signUpId, payload, confirmation));
    awaited.get(signUp.signUpId)?.tell(confirmation);
    metrics.attempted('delivered');
    log('info', 'sign-up delivered', { ...named(signUp), after_ms: now() - signUp.createdAt });
    if (!isDown) return;
    isDown = false;
    const woken = await store.wake(now());
    log('info', 'WordPress takes sign-ups again', { woken });
  }

  async function postponed(signUp: StoredSignUp, reason: string, pauseMs: number): Promise<void> {
    await store.postpone(leaseOf(signUp), now() + pauseMs, reason);
    metrics.attempted('postponed');
    log('warn', 'sign-up postponed', { ...named(signUp), reason, pause_ms: pauseMs });
  }

  async function refused(signUp: StoredSignUp, reason: string, fields: string[] = []): Promise<void> {
    await store.bury(leaseOf(signUp), reason);
    metrics.attempted('dead');
    // The log gets the name alone: WordPress' words are the operator's.
    log('error', 'sign-up dead', { ...named(signUp), reason: nameOfReason(reason), fields });
  }

  /** WordPress is up and reads: this is no outage, and others need not wait for it. */
  const blocked = (signUp: StoredSignUp, reason: string) =>
    signUp.attempts >= BLOCKED_ATTEMPTS
      ? refused(signUp, reason)
      : postponed(signUp, reason, pauseAfter(signUp.attempts, random()));

  async function failed(signUp: StoredSignUp, verdict: Verdict & { kind: 'failed' }, wasUp: boolean): Promise<void> {
    // Where others were delivered meanwhile it is this row's own trouble, and no sign of an outage.
    if (!wasUp) isDown = true;
    const { reason, retryAfterMs } = verdict;
    const asked = Math.min(LONGEST_PAUSE_MS, Math.ceil(retryAfterMs ?? 0));
    if (asked > 0) restUntil = Math.max(restUntil, performance.now() + asked);
    await postponed(signUp, reason, Math.max(asked, pauseAfter(signUp.attempts, random())));
  }

  /** @returns `null` where it cannot be opened: with the right key it can, so it is not given up. */
  function payloadOf(signUp: StoredSignUp): Payload | null {
    try {
      return outbox.open(signUp);
    } catch {
      return null;
    }
  }

  async function attempt(signUp: StoredSignUp): Promise<void> {
    const payload = payloadOf(signUp);
    if (!payload) return postponed(signUp, 'cannot be opened with this SECRET_KEY', LONGEST_PAUSE_MS);
    const before = successes;
    const verdict = await send({ ...payload, signUpId: signUp.signUpId, formId: signUp.formId }, breakingOff.signal);
    if (breakingOff.signal.aborted && verdict.kind === 'failed') return postponed(signUp, 'the worker stopped', 1);
    if (verdict.kind === 'delivered') return delivered(signUp, payload, verdict.confirmation);
    awaited.get(signUp.signUpId)?.tell(null);
    if (verdict.kind === 'refused') return refused(signUp, verdict.reason, verdict.fields);
    if (verdict.kind === 'blocked') return blocked(signUp, verdict.reason);
    return failed(signUp, verdict, successes > before);
  }

  function take(signUp: StoredSignUp): void {
    const weight = isStubborn(signUp) ? 1 : 0;
    stubborn += weight;
    const work = (isHeavy(signUp) ? heavy.run(() => attempt(signUp)) : attempt(signUp))
      // The store did not take the outcome. The lease runs out, and WordPress knows the id when it comes again.
      .catch((error: unknown) => log('error', 'sign-up outcome not stored', { ...named(signUp), error }))
      .finally(() => {
        underWay.delete(work);
        stubborn -= weight;
        if (!isDown) wake();
      });
    underWay.add(work);
  }

  async function fill(): Promise<void> {
    if (performance.now() < restUntil) return;
    const [slots, stubbornSlots] = isDown ? [PROBES, STUBBORN_PROBES] : [PARALLEL, STUBBORN_PARALLEL];
    const limit = slots - underWay.size;
    if (limit <= 0) return;
    const claimed = await store.claim({
      now: now(),
      leaseUntil: now() + LEASE_MS,
      limit,
      stubbornLimit: Math.max(0, stubbornSlots - stubborn),
      horizonMs: HORIZON_MS,
    });
    for (const signUp of claimed) take(signUp);
  }

  let isBlind = false;
  /** Said once: what looks every second would say it every second. */
  function cannotRead(error: unknown): void {
    if (!isBlind) log('error', 'sign-ups cannot be read', { error });
    isBlind = true;
  }

  let isWanted = false;
  /** One look at the store at a time; whoever asks meanwhile gets one more after it. */
  function wake(): void {
    isWanted = true;
    if (!poll || filling) return;
    isWanted = false;
    filling = fill()
      .then(() => {
        isBlind = false;
      }, cannotRead)
      .finally(() => {
        filling = null;
        if (isWanted) wake();
      });
  }

  return {
    start() {
      poll ??= setInterval(wake, pollMs).unref();
      wake();
    },
    wake,
    confirmationOf(signUpId, withinMs) {
      if (isDown || !poll) return Promise.resolve(null);
      const before = awaited.get(signUpId);
      if (before) return before.told;
      const { promise: told, resolve: tell } = Promise.withResolvers<Confirmation | null>();
      awaited.set(signUpId, { told, tell });
      const deadline = setTimeout(tell, withinMs, null);
      return told.finally(() => {
        clearTimeout(deadline);
        awaited.delete(signUpId);
      });
    },
    async stop(withinMs) {
      if (poll) clearInterval(poll);
      poll = null;
      await filling;
      const deadline = setTimeout(() => breakingOff.abort(), withinMs);
      await Promise.all(underWay);
      clearTimeout(deadline);
    },
  };
}
