/**
 * waiting: to be delivered; leased: a worker is delivering it; delivered: WordPress has it; dead: WordPress said no, or it
 * was erased before it was delivered; set-aside: probable spam, not delivered unless an operator says so.
 */
export type SignUpState = 'waiting' | 'leased' | 'delivered' | 'dead' | 'set-aside';

export const STATES: readonly SignUpState[] = ['waiting', 'leased', 'delivered', 'dead', 'set-aside'];

/** Times are whole milliseconds since 1970, as `Date.now()` gives them; the store keeps no other numbers for time. */
export interface NewSignUp {
  /** UUID in lower case, made by the visitor's browser: a repeat is known by it. */
  signUpId: string;
  formId: number;
  state: 'waiting' | 'set-aside';
  /** What the visitor answered, sealed. */
  payload: Uint8Array;
  /** Of the answers before they were sealed. */
  digest: string;
  /** What the visitor agreed to, in the form's own words; `null` where she was asked nothing. She agreed at `createdAt`. */
  consentText: string | null;
  createdAt: number;
  /** Why it was set aside. */
  note: string | null;
}

export interface StoredSignUp extends Omit<NewSignUp, 'state' | 'payload' | 'note'> {
  state: SignUpState;
  /** `null` once it was erased. */
  payload: Uint8Array | null;
  /** Deliveries begun. */
  attempts: number;
  /** When it is to be tried next; while it is leased, when the lease ends. */
  nextTryAt: number;
  /** Why it was set aside, postponed or given up. Holds nothing that a visitor wrote. */
  lastError: string | null;
  deliveredAt: number | null;
  erasedAt: number | null;
}

export interface Claim {
  now: number;
  leaseUntil: number;
  /** Rows to lease at most, and how many of them may be stubborn (`STUBBORN_FROM` attempts and more). */
  limit: number;
  stubbornLimit: number;
  /** A time further ahead of `now` than this, in milliseconds, was written before the clock jumped back: it is due. */
  horizonMs: number;
}

/** Rows tried this often get a part of the slots only, so that those which always hang keep out no new one. */
export const STUBBORN_FROM = 3;

/** A leased row as its worker knows it: `attempt` tells the lease from a later one. */
export interface Lease {
  signUpId: string;
  attempt: number;
}

export interface Listing {
  /** All, where it is empty. */
  states: SignUpState[];
  /** Newest first. */
  limit: number;
  /** Without payloads, which files make heavy: each is then `null`. */
  isBare?: boolean;
}

export interface Expiry {
  /** Delivered before this time. */
  deliveredBefore: number;
  /** Come before this time, and dead or set aside since. */
  givenUpBefore: number;
  /** Come before this time, and still not delivered. */
  waitingBefore: number;
  /** Of those set aside the newest that stay. */
  setAsideAtMost: number;
}

/** Rows in one state with one reason. */
export interface Trouble {
  state: SignUpState;
  formId: number;
  /** As `lastError`; `null`: none yet. */
  reason: string | null;
  count: number;
  /** When the oldest of them came. */
  oldestAt: number;
}

export interface StoreStats {
  counts: Record<SignUpState, number>;
  /** When the oldest that still waits (or is leased) came; `null`: none does. */
  oldestAt: number | null;
}

/** Where sign-ups are kept until WordPress has them, and as evidence afterwards. Every call rejects where it cannot. */
export interface SignUpStore {
  /** Resolves after the commit, on the disk. `changed`: the same id was kept before, with other answers. */
  add: (signUp: NewSignUp) => Promise<'added' | 'repeated' | 'changed'>;
  /** Leases what is due, the least tried first. A lease that ran out is due: its worker died. */
  claim: (claim: Claim) => Promise<StoredSignUp[]>;
  /**
   * True whatever became of the lease meanwhile: WordPress has it.
   * @param payload What is kept of it from now on; `null`: what is there.
   */
  deliver: (signUpId: string, now: number, payload?: Uint8Array | null) => Promise<void>;
  /** Puts a leased row back. @returns Whether the lease was still this one. */
  postpone: (lease: Lease, nextTryAt: number, error: string) => Promise<boolean>;
  /** Gives a leased row up for good; it is kept. @returns Whether the lease was still this one. */
  bury: (lease: Lease, error: string) => Promise<boolean>;
  /** Makes all that wait due. @returns How many were not. */
  wake: (now: number) => Promise<number>;
  list: (listing: Listing) => Promise<StoredSignUp[]>;
  get: (signUpId: string) => Promise<StoredSignUp | null>;
  /** Makes dead and set-aside rows wait again, those named or (`null`) all that are dead. @returns How many. */
  retry: (signUpIds: string[] | null, now: number) => Promise<number>;
  /** Takes the personal data out and leaves id and digest; what was not delivered is dead then. @returns How many. */
  erase: (signUpIds: string[], now: number) => Promise<number>;
  /** Erases what is older than its state may become. @returns How many. */
  expire: (limits: Expiry, now: number) => Promise<number>;
  /** Troubles of what is not delivered and still has its answers. */
  troubles: () => Promise<Trouble[]>;
  stats: () => Promise<StoreStats>;
  /** Writes something that means nothing, on the disk: rejects where a sign-up could not be kept either. */
  probe: (now: number) => Promise<void>;
  /** Ends after what is under way. */
  close: () => Promise<void>;
}
