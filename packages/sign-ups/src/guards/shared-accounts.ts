/** An allowance that refills evenly over time (GCRA). Times in milliseconds. */
export interface Account {
  key: string;
  /** Cost of one use. */
  costMs: number;
  /** The whole allowance. */
  windowMs: number;
}

/** A use that all servers count together. */
export interface Use {
  accounts: Account[];
  /** Identifies the use for `forMs`: a repeat within that time charges `again`, not `first`. `null`: no identity. */
  once: { key: string; forMs: number; first: Account; again: Account } | null;
}

/** Accounts that all servers of a site share. No call rejects. */
export interface SharedAccounts {
  /**
   * Charges all accounts, or none if one of them is exhausted.
   * @returns Milliseconds until they allow it. 0: charged, or the other servers' count was not available in time.
   */
  take: (use: Use) => Promise<number>;
  /** Undoes the charge of one use. */
  refund: (account: Account) => Promise<void>;
}

/** For a single server, which has already counted in its memory. */
export const NOT_SHARED: SharedAccounts = { take: async () => 0, refund: async () => {} };
