import type { Purpose } from '@pillion/lib/consent.ts';

/**
 * waiting: to be delivered; leased: a worker is delivering it; delivered: the backend has it; dead: the backend refused
 * it, or it was erased before delivery; set-aside: probable spam, delivered only if an operator releases it.
 */
export const STATES = ['waiting', 'leased', 'delivered', 'dead', 'set-aside'] as const;
export type SignUpState = (typeof STATES)[number];

/** Times are whole milliseconds since 1970, as from `Date.now()`. The store accepts no other format. */
export interface NewSignUp {
  /** UUID in lower case from the visitor's browser. It identifies a repeat. */
  signUpId: string;
  formId: number;
  state: 'waiting' | 'set-aside';
  /** The sealed answers. */
  payload: Uint8Array;
  /** Digest of the answers before they were sealed. */
  digest: string;
  /** The consent text of the form; `null` without one. The visitor agreed at `createdAt`. */
  consentText: string | null;
  /** What the visitor agreed to in the consent dialog. */
  consent: readonly Purpose[];
  createdAt: number;
  /** Why it is set aside; `null` if it waits. It becomes `lastError`. */
  note: string | null;
  /** What each destination gets of it. They are stored in the same commit. */
  copies: readonly NewCopy[];
}

/** The part of a sign-up for one destination, sealed. */
export interface NewCopy {
  /** Id of the destination. */
  destination: string;
  payload: Uint8Array;
}

/** A row of a queue: a sign-up, or its copy for a destination. */
export interface QueuedRow extends Pick<NewSignUp, 'signUpId' | 'formId' | 'createdAt'> {
  state: SignUpState;
  /** `null` after erasure. */
  payload: Uint8Array | null;
  /** Attempts started. */
  attempts: number;
  /** Time of the next attempt; for a leased row, end of the lease. */
  nextTryAt: number;
  /** Why it was set aside, postponed or given up. It contains nothing that a visitor wrote. */
  lastError: string | null;
  deliveredAt: number | null;
  erasedAt: number | null;
}

export type StoredSignUp = QueuedRow & Pick<NewSignUp, 'digest' | 'consentText' | 'consent'>;

export interface Claim {
  now: number;
  leaseUntil: number;
  /** Maximum number of leased rows, and how many of them may be stubborn (at least `STUBBORN_FROM` attempts). */
  limit: number;
  stubbornLimit: number;
  /** A time further ahead of `now`, in milliseconds, was written before the clock jumped back. The row is due. */
  horizonMs: number;
}

/** Rows with this many attempts get only some of the slots, so that they cannot block new ones. */
export const STUBBORN_FROM = 3;

/** A leased row. `attempt` distinguishes its lease from a later one. */
export interface Lease {
  signUpId: string;
  attempt: number;
}

/** As the limit of a listing: all rows. */
export const EVERYTHING = 2 ** 31 - 1;

export interface Listing {
  /** Empty: all. */
  states: SignUpState[];
  /** Maximum number of rows, the newest ones. */
  limit: number;
  /** Leaves out payloads, which are large with files: each is `null`. */
  isBare?: boolean;
}

export interface Expiry {
  deliveredBefore: number;
  /** Created before this time, and dead or set aside. */
  givenUpBefore: number;
  /** Created before this time, and still waiting. */
  waitingBefore: number;
  /** Number of set-aside rows that stay, the newest ones. */
  setAsideAtMost: number;
}

/** Rows with the same state, form and reason. */
export interface Trouble {
  state: SignUpState;
  formId: number;
  /** Same as `lastError`; `null`: no failure yet. */
  reason: string | null;
  count: number;
  /** When the oldest of them was created. */
  oldestAt: number;
}

export interface StoreStats {
  counts: Record<SignUpState, number>;
  /** When the oldest waiting or leased row was created; `null` without such rows. */
  oldestAt: number | null;
  /** Last delivery of a row that is not erased; `null` without such rows. */
  lastDeliveredAt: number | null;
}

/** Rows that wait for one receiver. Every call rejects on failure. */
export interface Queue<Row extends QueuedRow = QueuedRow> {
  /** Leases due rows, those with the fewest attempts first. A row with an expired lease is due: its worker has died. */
  claim: (claim: Claim) => Promise<QueuedRow[]>;
  /**
   * Sets the state even if the lease has expired, because the backend has the sign-up.
   * @param payload Replaces the payload; `null` keeps it.
   */
  deliver: (signUpId: string, now: number, payload?: Uint8Array | null) => Promise<void>;
  /** Puts a leased row back. @returns `false` if the lease has expired and was claimed again. */
  postpone: (lease: Lease, nextTryAt: number, error: string) => Promise<boolean>;
  /** Marks a leased row as dead. @returns `false` if the lease has expired and was claimed again. */
  bury: (lease: Lease, error: string) => Promise<boolean>;
  /** Makes all waiting rows due. @returns How many were not. */
  wake: (now: number) => Promise<number>;
  /** Makes dead rows of this queue wait again. @returns How many. */
  again: (signUpIds: string[], now: number) => Promise<number>;
  get: (signUpId: string) => Promise<Row | null>;
  list: (listing: Listing) => Promise<Row[]>;
  /** Problems of rows that are not delivered and not erased. */
  troubles: () => Promise<Trouble[]>;
  stats: () => Promise<StoreStats>;
}

/** `repeated`: the id exists with the same answers. `changed`: it exists with other answers, which stay. */
export type AddResult = 'added' | 'repeated' | 'changed';

/** Stores sign-ups until the backend has them, and as evidence afterwards. */
export interface SignUpStore extends Queue<StoredSignUp> {
  /** The copies for one destination. Their delivery is independent of the sign-ups' and of other copies. */
  copiesFor: (destination: string) => Queue;
  /** Ids of all destinations that have copies, also of removed ones. */
  destinations: () => Promise<string[]>;
  /**
   * Makes the copies for these destinations that are not sent dead, and erases their payload, several per commit.
   * @returns How many.
   */
  removeCopies: (destinations: string[], now: number) => Promise<number>;
  /** Resolves after the commit. */
  add: (signUp: NewSignUp) => Promise<AddResult>;
  /**
   * Makes dead and set-aside sign-ups and copies wait again: those named, or with `null` all dead ones.
   * @returns Number of sign-ups that have one.
   */
  retry: (signUpIds: string[] | null, now: number) => Promise<number>;
  /**
   * Erases personal data, also of the copies, but keeps id and digest. What was not delivered becomes dead.
   * @returns How many.
   */
  erase: (signUpIds: string[], now: number) => Promise<number>;
  /** Erases sign-ups that have reached the age limit of their state, several per commit. @returns How many. */
  expire: (limits: Expiry, now: number) => Promise<number>;
  /** Writes a test row. Rejects if a sign-up could not be stored either. */
  probe: (now: number) => Promise<void>;
  /** Waits for pending calls. */
  close: () => Promise<void>;
}
