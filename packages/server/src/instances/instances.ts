import type { Change } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { NOT_SHARED, type SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import type { InstanceFigures } from '../metrics/instances.ts';

/** How many servers show a change. */
export interface Servers {
  live: number;
  /** All servers with a heartbeat, including this one. */
  of: number;
  /** Names of the servers that did not acknowledge the change in time. */
  late: string[];
}

export interface AnnounceResult {
  /** Whether this server has read all of it from WordPress. */
  isRead: boolean;
  servers: Servers;
}

/** The servers of one site, including this one. No call rejects. */
export interface Instances {
  /** Reads changes that were missed while this server was down. Waits a limited time for the database. */
  begin: () => Promise<void>;
  /** Starts this server's heartbeat. */
  join: () => void;
  /** Reads a change from WordPress and announces it to the other servers. Waits a limited time for them. */
  announce: (change: Change) => Promise<AnnounceResult>;
  /** Records the id of a message. @returns Whether no server had seen it; also `true` if the database does not answer in time. */
  isNew: (id: string) => Promise<boolean>;
  /** Must be called before each response. */
  onRequest: () => void;
  /** Rate limits that all servers share. */
  accounts: SharedAccounts;
  /** `null`: a single server. */
  figures: (() => InstanceFigures) | null;
  /** Announces that this server stops. */
  leave: () => Promise<void>;
}

/** A single server. */
export const singleInstance = (content: Pick<Content, 'refresh'>): Instances => ({
  begin: async () => {},
  join: () => {},
  async announce(change) {
    const isRead = await content.refresh(change);
    return { isRead, servers: { live: isRead ? 1 : 0, of: 1, late: [] } };
  },
  isNew: async () => true,
  onRequest: () => {},
  accounts: NOT_SHARED,
  figures: null,
  leave: async () => {},
});
