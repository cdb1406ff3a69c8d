import type { Change } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { NOT_SHARED, type SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import type { InstanceFigures } from '../metrics/instances.ts';

/** How many servers show a change. */
export interface Servers {
  live: number;
  /** All that are known to live, this one among them. */
  of: number;
  /** Names of those that did not say in time that they show it. */
  late: string[];
}

export interface Told {
  /** Whether this server has read all of it from WordPress. */
  isRead: boolean;
  servers: Servers;
}

/** The servers that show the same site, this one among them. No call rejects. */
export interface Instances {
  /** Reads what was missed while this server was away. Waits a bounded time for the database. */
  begin: () => Promise<void>;
  /** From now on this server is one of those that show the site. */
  join: () => void;
  /** Reads a change from WordPress, and has the others read it. Waits a bounded time for them. */
  tell: (change: Change) => Promise<Told>;
  /** Notes the id of a message. @returns Whether nobody had seen it; `true` too where nobody can be asked in time. */
  isNew: (id: string) => Promise<boolean>;
  /** To be called before a request is answered. */
  onRequest: () => void;
  /** Limits that all servers count together. */
  accounts: SharedAccounts;
  /** `null`: this server is alone. */
  figures: (() => InstanceFigures) | null;
  /** Says that this server ends. */
  leave: () => Promise<void>;
}

/** A server without others. */
export const aloneWith = (content: Pick<Content, 'refresh'>): Instances => ({
  begin: async () => {},
  join: () => {},
  async tell(change) {
    const isRead = await content.refresh(change);
    return { isRead, servers: { live: isRead ? 1 : 0, of: 1, late: [] } };
  },
  isNew: async () => true,
  onRequest: () => {},
  accounts: NOT_SHARED,
  figures: null,
  leave: async () => {},
});
