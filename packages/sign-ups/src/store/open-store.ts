import type { Log } from '@pillion/lib/log.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createDirectSqliteStore, createSqliteStore } from './sqlite-store.ts';
import type { SignUpStore } from './store.ts';

interface Where {
  /** `postgresql://…`; `null`: a file in the data folder. */
  databaseUrl: string | null;
  dataDirectory: string;
}

/** The store of a server or a worker: the database in `DATABASE_URL`, or a file in the data folder. */
export function openStore({ databaseUrl, dataDirectory }: Where, log: Log): SignUpStore {
  if (databaseUrl === null) return createSqliteStore(dataDirectory);
  const store = createPostgresStore({
    url: databaseUrl,
    onTrouble: (reason) =>
      reason === null
        ? log('info', 'DATABASE_URL can be used again')
        : log('error', 'DATABASE_URL cannot be used: sign-ups are answered 503 until it can', { reason }),
  });
  // An early query, so that an unusable database is logged at the start and not at the first sign-up.
  store.get('').catch(() => {});
  return store;
}

/** The store for commands: without a thread or short timeouts, since a command serves no visitors. */
export const openStoreForCommands = ({ databaseUrl, dataDirectory }: Where): SignUpStore =>
  databaseUrl === null
    ? createDirectSqliteStore(dataDirectory)
    : createPostgresStore({ url: databaseUrl, isPatient: true });
