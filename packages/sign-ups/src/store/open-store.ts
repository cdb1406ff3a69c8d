import type { Log } from '@pillion/lib/log.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createDirectSqliteStore, createSqliteStore } from './sqlite-store.ts';
import type { SignUpStore } from './store.ts';

interface Where {
  /** `postgresql://…`; `null`: a file in the data folder. */
  databaseUrl: string | null;
  dataDirectory: string;
}

/** The store of a server or a worker: in the database that `DATABASE_URL` names, else in the data folder. */
export function openStore({ databaseUrl, dataDirectory }: Where, log: Log): SignUpStore {
  if (databaseUrl === null) return createSqliteStore(dataDirectory);
  const store = createPostgresStore({
    url: databaseUrl,
    onTrouble: (reason) =>
      reason === null
        ? log('info', 'DATABASE_URL can be used again')
        : log('error', 'DATABASE_URL cannot be used: sign-ups are answered 503 until it can', { reason }),
  });
  // Said now, not with the first sign-up; pages are served meanwhile.
  store.get('').catch(() => {});
  return store;
}

/** The same for commands, which serve nobody meanwhile. */
export const openStoreForCommands = ({ databaseUrl, dataDirectory }: Where): SignUpStore =>
  databaseUrl === null
    ? createDirectSqliteStore(dataDirectory)
    : createPostgresStore({ url: databaseUrl, isPatient: true });
