import { Counter, Gauge, Registry } from 'prom-client';
import type { AttemptOutcome } from './delivery/delivery.ts';
import { STATES, type StoreStats } from './store/store.ts';

/** Why a sign-up was refused. */
const REFUSALS = [
  'too-many',
  'invalid',
  'foreign-origin',
  'too-large',
  'not-a-form',
  'no-such-form',
  'not-stored',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const OUTCOMES: readonly AttemptOutcome[] = ['delivered', 'postponed', 'dead'];

/** Counters since the start of this process, and gauges from the store. */
export function createSignUpMetrics() {
  const registry = new Registry();
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const accepted = counter('pillion_sign_ups_accepted_total', 'Sign-ups stored and confirmed.');
  const repeated = counter('pillion_sign_ups_repeated_total', 'Sign-ups that were stored already.');
  const setAside = counter('pillion_sign_ups_set_aside_total', 'Sign-ups set aside as probable spam.');
  const refusedHelp = 'Requests that were no sign-up or could not be stored.';
  const refused = counter('pillion_sign_ups_refused_total', refusedHelp, 'reason');
  const attempts = counter('pillion_sign_ups_attempts_total', 'Attempts to deliver.', 'outcome');
  const destinationAttemptsHelp = 'Attempts to send a sign-up to a destination.';
  const destinationAttempts = counter(
    'pillion_destination_attempts_total',
    destinationAttemptsHelp,
    'destination',
    'outcome',
  );
  // Counters start at 0 and not absent, so that an alarm can detect the first increase.
  for (const reason of REFUSALS) refused.inc({ reason }, 0);
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);

  /** Gauges of the store; only `store_up` if it does not respond. */
  function storeGauges(stats: StoreStats | null, now: number, copies: Map<string, StoreStats>): Registry {
    const store = new Registry();
    const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers: [store] });
    gauge('pillion_sign_ups_store_up', 'Whether the store answers.').set(stats ? 1 : 0);
    if (!stats) return store;
    const { counts, oldestAt } = stats;
    const states = gauge('pillion_sign_ups', 'Sign-ups in the store.', 'state');
    for (const state of STATES) states.set({ state }, counts[state]);
    gauge(
      'pillion_sign_ups_oldest_waiting_seconds',
      'Age of the oldest sign-up that is not delivered; 0 if there is none.',
    ).set(oldestAt === null ? 0 : Math.max(0, (now - oldestAt) / 1000));
    if (copies.size === 0) return store;
    const copyStates = gauge('pillion_destination_sign_ups', 'Sign-ups for a destination.', 'destination', 'state');
    const lastSuccess = gauge(
      'pillion_destination_last_success_timestamp_seconds',
      'Time of the last delivery to a destination; 0 if there was none.',
      'destination',
    );
    for (const [destination, { counts, lastDeliveredAt }] of copies) {
      for (const state of STATES) copyStates.set({ destination, state }, counts[state]);
      lastSuccess.set({ destination }, (lastDeliveredAt ?? 0) / 1000);
    }
    return store;
  }

  return {
    accepted: () => accepted.inc(),
    repeated: () => repeated.inc(),
    setAside: () => setAside.inc(),
    refused: (reason: Refusal) => refused.inc({ reason }),
    attempted: (outcome: AttemptOutcome) => attempts.inc({ outcome }),
    /** The same for a destination. @param destination Its name. */
    ofDestination(destination: string) {
      for (const outcome of OUTCOMES) destinationAttempts.inc({ destination, outcome }, 0);
      return { attempted: (outcome: AttemptOutcome) => destinationAttempts.inc({ destination, outcome }) };
    },
    /**
     * @param stats `null` if the store does not respond.
     * @param copies Of the copies, by name of the destination.
     * @returns Prometheus' text format.
     */
    render: async (stats: StoreStats | null, now: number, copies = new Map<string, StoreStats>()): Promise<string> =>
      (await registry.metrics()) + (await storeGauges(stats, now, copies).metrics()),
  };
}

export type SignUpMetrics = ReturnType<typeof createSignUpMetrics>;
