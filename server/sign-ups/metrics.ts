import { labelled, metric } from '../metrics/text.ts';
import { STATES, type StoreStats } from './store/store.ts';

/** Why a sign-up was not taken. */
export type Refusal =
  | 'too-many'
  | 'invalid'
  | 'foreign-origin'
  | 'too-large'
  | 'not-a-form'
  | 'no-such-form'
  | 'not-stored';
const REFUSALS: readonly Refusal[] = [
  'too-many',
  'invalid',
  'foreign-origin',
  'too-large',
  'not-a-form',
  'no-such-form',
  'not-stored',
];

/** What became of one attempt to deliver. */
export type AttemptOutcome = 'delivered' | 'postponed' | 'dead';
const OUTCOMES: readonly AttemptOutcome[] = ['delivered', 'postponed', 'dead'];

const zeroes = <Name extends string>(names: readonly Name[]) => new Map<Name, number>(names.map((name) => [name, 0]));

const raise = <Name extends string>(counts: Map<Name, number>, name: Name) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Counts since the start of this process; what lies in the store is asked of the store. */
export function createSignUpMetrics() {
  let accepted = 0;
  let repeated = 0;
  let setAside = 0;
  const refusals = zeroes(REFUSALS);
  const attempts = zeroes(OUTCOMES);

  const counters = () => [
    metric('pillion_sign_ups_accepted_total', 'counter', 'Sign-ups stored and thanked for.', [['', accepted]]),
    metric('pillion_sign_ups_repeated_total', 'counter', 'Sign-ups that were stored already.', [['', repeated]]),
    metric('pillion_sign_ups_set_aside_total', 'counter', 'Sign-ups set aside as probable spam.', [['', setAside]]),
    metric(
      'pillion_sign_ups_refused_total',
      'counter',
      'Requests that were no sign-up or could not be stored.',
      labelled('reason', refusals),
    ),
    metric('pillion_sign_ups_attempts_total', 'counter', 'Attempts to deliver.', labelled('outcome', attempts)),
  ];

  const gauges = ({ counts, oldestAt }: StoreStats, now: number) => [
    metric(
      'pillion_sign_ups',
      'gauge',
      'Sign-ups in the store.',
      labelled(
        'state',
        STATES.map((state) => [state, counts[state]]),
      ),
    ),
    metric('pillion_sign_ups_oldest_waiting_seconds', 'gauge', 'Age of the oldest that is not delivered, 0: none.', [
      ['', oldestAt === null ? 0 : Math.max(0, (now - oldestAt) / 1000)],
    ]),
  ];

  return {
    accepted: () => void accepted++,
    repeated: () => void repeated++,
    setAside: () => void setAside++,
    refused: (reason: Refusal) => raise(refusals, reason),
    attempted: (outcome: AttemptOutcome) => raise(attempts, outcome),
    /** @param stats `null` where the store does not answer. @returns Prometheus' text format. */
    render: (stats: StoreStats | null, now: number): string =>
      [
        ...counters(),
        metric('pillion_sign_ups_store_up', 'gauge', 'Whether the store answers.', [['', stats ? 1 : 0]]),
        ...(stats ? gauges(stats, now) : []),
      ].join(''),
  };
}

export type SignUpMetrics = ReturnType<typeof createSignUpMetrics>;
