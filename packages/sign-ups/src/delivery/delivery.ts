import type { Confirmation } from '@pillion/content/forms/after-sending.ts';
import { createLimit } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { type FormBackend, nameOfReason, type Verdict } from '../backends/backend.ts';
import type { Outbox, Payload } from '../outbox/outbox.ts';
import { type Queue, type QueuedRow, STUBBORN_FROM } from '../store/store.ts';
import { MAX_PAUSE_MS, pauseAfter } from './pause.ts';

export type AttemptOutcome = 'delivered' | 'postponed' | 'dead';

/** Maximum parallel attempts, and how many of them may be for rows that keep failing. */
const CONCURRENCY = 6;
const STUBBORN_CONCURRENCY = 4;
/** The same limits while the backend seems down: enough to notice its return, with one attempt left for a new row. */
const CONCURRENCY_WHILE_DOWN = 2;
const STUBBORN_CONCURRENCY_WHILE_DOWN = 1;

/**
 * How often a server lets the backend block a sign-up, over some minutes: an editor may be about to fix it. Then it is dead
 * and an operator must act.
 */
const MAX_BLOCKED_ATTEMPTS = 8;

/** Sign-ups from this many bytes on are sent one at a time: each needs several copies of its files in memory. */
const HEAVY_BYTES = 1_000_000;

/** Rows of a worker that died are free after this, in milliseconds. It exceeds an attempt and its bookkeeping. */
const LEASE_MS = 20_000;

/** Poll interval in milliseconds: another process may have added a row, or the backend may be back. */
const POLL_MS = 1_000;

/** No retry is ever scheduled further ahead. A later time was written before the clock jumped back. */
const MAX_AHEAD_MS = MAX_PAUSE_MS + LEASE_MS;

const isHeavy = ({ payload }: QueuedRow) => (payload?.byteLength ?? 0) >= HEAVY_BYTES;

/** The store has already counted this attempt. */
const isStubborn = ({ attempts }: QueuedRow) => attempts - 1 >= STUBBORN_FROM;

export interface DeliveryOptions {
  outbox: Pick<Outbox, 'open' | 'sealDelivered'> & { store: Queue };
  backend: Pick<FormBackend, 'name' | 'submit' | 'interpret'>;
  log: Log;
  metrics: { attempted: (outcome: AttemptOutcome) => void };
  /** Wall clock, in milliseconds; it may jump. */
  now?: () => number;
  random?: () => number;
  /** Poll interval in milliseconds. Default: `POLL_MS`. */
  pollMs?: number;
}

const leaseOf = ({ signUpId, attempts }: QueuedRow) => ({ signUpId, attempt: attempts });

const logDetailsOf = ({ signUpId, formId, attempts }: QueuedRow) => ({
  sign_up_id: signUpId,
  form_id: formId,
  attempt: attempts,
});

/** Delivers sign-ups from the store to a backend and retries each until the backend accepts or refuses it. */
export class Delivery {
  readonly #options: Required<DeliveryOptions>;
  readonly #store: Queue;
  readonly #attempts = new Set<Promise<void>>();
  /** The rows of `#attempts`, by id. */
  readonly #rowsInAttempt = new Map<string, QueuedRow>();
  readonly #heavyLimit = createLimit(1);
  readonly #aborting = new AbortController();
  /**
   * How often the backend has blocked a sign-up, by id. The attempts of a row also count outages, and claims while it waits
   * for its turn.
   */
  readonly #blockedCounts = new Map<string, number>();
  /** Confirmations that visitors wait for, by sign-up id. */
  readonly #awaitedConfirmations = new Map<string, PromiseWithResolvers<Confirmation | null>>();
  /** Attempts under way for rows that keep failing. */
  #stubbornCount = 0;
  #successes = 0;
  /** An attempt failed and none has succeeded since. */
  #isDown = false;
  /** No attempts before this time, because the backend sent `Retry-After`. Monotonic clock. */
  #pausedUntil = 0;
  #pollTimer: NodeJS.Timeout | null = null;
  #claiming: Promise<void> | null = null;
  /** The store must be read again after the current read. */
  #isClaimRequested = false;
  /** The last read of the store failed. */
  #isStoreUnreadable = false;

  constructor(options: DeliveryOptions) {
    this.#options = { now: Date.now, random: Math.random, pollMs: POLL_MS, ...options };
    this.#store = options.outbox.store;
  }

  start(): void {
    this.#pollTimer ??= setInterval(() => this.wake(), this.#options.pollMs).unref();
    this.wake();
  }

  /**
   * Call it after adding a row to the store. It reads the store, one read at a time. A call during a read starts one
   * more read after it.
   */
  wake(): void {
    this.#isClaimRequested = true;
    if (!this.#pollTimer || this.#claiming) return;
    this.#isClaimRequested = false;
    this.#claiming = this.#claimRows()
      .then(
        () => {
          this.#isStoreUnreadable = false;
        },
        (error: unknown) => this.#logUnreadable(error),
      )
      .finally(() => {
        this.#claiming = null;
        if (this.#isClaimRequested) this.wake();
      });
  }

  /**
   * The backend's confirmation for the visitor; `null` if it does not arrive in time.
   * @param withinMs Maximum wait. While the backend seems down there is no wait. A second call for the same sign-up has
   *   the wait of the first one.
   */
  confirmationOf(signUpId: string, withinMs: number): Promise<Confirmation | null> {
    if (this.#isDown || !this.#pollTimer) return Promise.resolve(null);
    const alreadyAwaited = this.#awaitedConfirmations.get(signUpId);
    if (alreadyAwaited) return alreadyAwaited.promise;
    const awaited = Promise.withResolvers<Confirmation | null>();
    this.#awaitedConfirmations.set(signUpId, awaited);
    const timeout = setTimeout(awaited.resolve, withinMs, null);
    return awaited.promise.finally(() => {
      clearTimeout(timeout);
      this.#awaitedConfirmations.delete(signUpId);
    });
  }

  /** Claims no more rows and finishes its attempts. After `withinMs` it aborts them and puts the rows back. */
  async stop(withinMs: number): Promise<void> {
    if (this.#pollTimer) clearInterval(this.#pollTimer);
    this.#pollTimer = null;
    await this.#claiming;
    const deadline = setTimeout(() => this.#aborting.abort(), withinMs);
    await Promise.all(this.#attempts);
    clearTimeout(deadline);
  }

  /** Leases as many due rows as may be attempted now, and starts the attempts. */
  async #claimRows(): Promise<void> {
    if (performance.now() < this.#pausedUntil) return;
    // Stubborn rows keep failing. They get only some of the slots, so that they cannot block new ones.
    const [slots, stubbornSlots] = this.#isDown
      ? [CONCURRENCY_WHILE_DOWN, STUBBORN_CONCURRENCY_WHILE_DOWN]
      : [CONCURRENCY, STUBBORN_CONCURRENCY];
    const limit = slots - this.#attempts.size;
    if (limit <= 0) return;
    const now = this.#options.now();
    const leaseUntil = now + LEASE_MS;
    const claimed = await this.#store.claim({
      now,
      leaseUntil,
      limit,
      stubbornLimit: Math.max(0, stubbornSlots - this.#stubbornCount),
      horizonMs: MAX_AHEAD_MS,
    });
    for (const row of claimed) {
      // The end of the lease by this server's clock, from which the database's may differ.
      const signUp = { ...row, nextTryAt: leaseUntil };
      const inAttempt = this.#rowsInAttempt.get(signUp.signUpId);
      // On a slow machine a lease expires before the outcome is stored. The outcome then belongs to the new lease.
      if (inAttempt) Object.assign(inAttempt, signUp);
      else this.#startAttempt(signUp);
    }
  }

  /** Logged once per outage, not with every poll. */
  #logUnreadable(error: unknown): void {
    if (!this.#isStoreUnreadable) this.#options.log('error', 'sign-ups cannot be read', { error });
    this.#isStoreUnreadable = true;
  }

  /** Attempts a leased row: its `nextTryAt` is the end of the lease. Large sign-ups wait for their turn. */
  #startAttempt(signUp: QueuedRow): void {
    const stubborn = isStubborn(signUp) ? 1 : 0;
    this.#stubbornCount += stubborn;
    this.#rowsInAttempt.set(signUp.signUpId, signUp);
    const attemptInLease = async () => {
      // While a sign-up waited for its turn, its lease may have expired and another server claimed it, or it was erased.
      const isLeased = async () => (await this.#store.get(signUp.signUpId))?.state === 'leased';
      if (this.#options.now() < signUp.nextTryAt && (await isLeased())) await this.#attempt(signUp);
    };
    const attempting = (isHeavy(signUp) ? this.#heavyLimit.run(attemptInLease) : this.#attempt(signUp))
      // The store did not save the outcome. The lease expires, and the backend recognises the id when it is sent again.
      .catch((error: unknown) =>
        this.#options.log('error', 'sign-up outcome not stored', { ...logDetailsOf(signUp), error }),
      )
      .finally(() => {
        this.#attempts.delete(attempting);
        this.#rowsInAttempt.delete(signUp.signUpId);
        this.#stubbornCount -= stubborn;
        if (!this.#isDown) this.wake();
      });
    this.#attempts.add(attempting);
  }

  /** Sends the sign-up and stores the outcome. It rejects only if the outcome cannot be stored. */
  async #attempt(signUp: QueuedRow): Promise<void> {
    const { signUpId, formId, createdAt } = signUp;
    const payload = this.#openPayload(signUp);
    // Not given up, since the right key may return.
    if (!payload) return this.#postpone(signUp, 'cannot be opened with this SECRET_KEY', MAX_PAUSE_MS);
    const successesBefore = this.#successes;
    const { signal } = this.#aborting;
    const { backend, now } = this.#options;
    const outgoing = { ...payload, signUpId, formId, createdAt };
    const verdict = backend.interpret(await backend.submit(outgoing, signal), outgoing, now());
    if (signal.aborted && verdict.kind === 'failed') return this.#postpone(signUp, 'the worker stopped', 1);
    if (verdict.kind === 'delivered') return this.#markDelivered(signUp, payload, verdict.confirmation);
    this.#awaitedConfirmations.get(signUpId)?.resolve(null);
    if (verdict.kind === 'refused') return this.#markDead(signUp, verdict.reason, verdict.fields);
    if (verdict.kind === 'blocked') return this.#handleBlocked(signUp, verdict.reason);
    return this.#handleFailure(signUp, verdict, this.#successes > successesBefore);
  }

  /** @returns `null` if it cannot be decrypted. */
  #openPayload(signUp: QueuedRow): Payload | null {
    try {
      return this.#options.outbox.open(signUp);
    } catch {
      return null;
    }
  }

  async #markDelivered(signUp: QueuedRow, payload: Payload, confirmation: Confirmation | null): Promise<void> {
    const { outbox, backend, log, metrics, now } = this.#options;
    this.#blockedCounts.delete(signUp.signUpId);
    this.#successes += 1;
    await this.#store.deliver(signUp.signUpId, now(), outbox.sealDelivered(signUp.signUpId, payload, confirmation));
    this.#awaitedConfirmations.get(signUp.signUpId)?.resolve(confirmation);
    metrics.attempted('delivered');
    log('info', 'sign-up delivered', { ...logDetailsOf(signUp), after_ms: now() - signUp.createdAt });
    if (!this.#isDown) return;
    this.#isDown = false;
    const madeDue = await this.#store.wake(now());
    log('info', `${backend.name} takes sign-ups again`, { woken: madeDue });
  }

  async #postpone(signUp: QueuedRow, reason: string, pauseMs: number): Promise<void> {
    const { log, metrics, now } = this.#options;
    await this.#store.postpone(leaseOf(signUp), now() + pauseMs, reason);
    metrics.attempted('postponed');
    log('warn', 'sign-up postponed', { ...logDetailsOf(signUp), reason, pause_ms: pauseMs });
  }

  async #markDead(signUp: QueuedRow, reason: string, fields: string[] = []): Promise<void> {
    this.#blockedCounts.delete(signUp.signUpId);
    await this.#store.bury(leaseOf(signUp), reason);
    this.#options.metrics.attempted('dead');
    // The log gets only the reason's name. The backend's own message is for the operator.
    this.#options.log('error', 'sign-up dead', { ...logDetailsOf(signUp), reason: nameOfReason(reason), fields });
  }

  /** The backend is up and can read requests, so this is no outage and other sign-ups continue. */
  #handleBlocked(signUp: QueuedRow, reason: string): Promise<void> {
    // The first attempt after an operator's retry, which sets `attempts` to 0, counts as the first answer.
    const before = signUp.attempts > 1 ? this.#blockedCounts.get(signUp.signUpId) : 0;
    const count = (before ?? 0) + 1;
    if (count >= MAX_BLOCKED_ATTEMPTS) return this.#markDead(signUp, reason);
    this.#blockedCounts.set(signUp.signUpId, count);
    return this.#postpone(signUp, reason, pauseAfter(count, this.#options.random()));
  }

  /** @param wasAnotherDelivered Whether another sign-up was delivered meanwhile: then only this one has a problem. */
  async #handleFailure(
    signUp: QueuedRow,
    verdict: Verdict & { kind: 'failed' },
    wasAnotherDelivered: boolean,
  ): Promise<void> {
    if (!wasAnotherDelivered) this.#isDown = true;
    const { reason, retryAfterMs } = verdict;
    const requestedMs = Math.min(MAX_PAUSE_MS, Math.ceil(retryAfterMs ?? 0));
    if (requestedMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + requestedMs);
    await this.#postpone(signUp, reason, Math.max(requestedMs, this.#pauseAfter(signUp)));
  }

  #pauseAfter = ({ attempts }: QueuedRow) => pauseAfter(attempts, this.#options.random());
}
