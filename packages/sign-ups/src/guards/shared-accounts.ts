/** What somebody uses up, and gets back evenly as time passes (GCRA). Times in milliseconds. */
export interface Account {
  key: string;
  /** What one use costs. */
  costMs: number;
  /** What may be used up at most. */
  windowMs: number;
}

/** A use that several servers count together. */
export interface Use {
  accounts: Account[];
  /** Names the use for so long: where it comes again, `again` is charged in the place of `first`. `null`: it has no name. */
  once: { key: string; forMs: number; first: Account; again: Account } | null;
}

/** Accounts that all servers of a site share. No call rejects. */
export interface SharedAccounts {
  /**
   * Charges all accounts, or none where one of them has not enough.
   * @returns Milliseconds until they have. 0: charged, or nobody could be asked in time.
   */
  take: (use: Use) => Promise<number>;
  /** Gives back what a use has cost. */
  refund: (account: Account) => Promise<void>;
}

/** Of a server that is alone: its own memory has counted already. */
export const NOT_SHARED: SharedAccounts = { take: async () => 0, refund: async () => {} };
