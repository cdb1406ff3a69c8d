import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Answers } from '@pillion/forms/form.ts';
import type { Attribution } from '@pillion/lib/attribution.ts';
import { secretKeyIn } from '@pillion/lib/secret-key.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { openStoreForCommands } from '@pillion/sign-ups/store/open-store.ts';
import type { SignUpState, SignUpStore } from '@pillion/sign-ups/store/store.ts';

export interface StoredSignUp {
  id: string;
  formId: number;
  state: SignUpState;
  attempts: number;
  answers: Answers | null;
  attribution: Attribution | null;
  /** Address of the page; `null` after delivery. */
  page: string | null;
  lastError: string | null;
}

/** `SECRET_KEY` of sites with sign-ups in a database: all that share it share the key. */
export const SHARED_KEY = 'shared by all that use the database';

/** The file of the sign-ups. */
export const getStorePath = (dataDirectory: string) => join(dataDirectory, 'sign-ups.sqlite');

/** Opens a site's store while the site runs, as an operator would. */
export async function withStore<T>(
  dataDirectory: string,
  databaseUrl: string | null,
  use: (store: SignUpStore) => Promise<T>,
): Promise<T> {
  const store = openStoreForCommands({ dataDirectory, databaseUrl });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/**
 * Reads all stored sign-ups of a site while it runs, as an operator would.
 * @param databaseUrl If they are in a database, encrypted with `SHARED_KEY`; otherwise the key is in the data folder.
 */
export async function readSignUps(dataDirectory: string, databaseUrl: string | null = null): Promise<StoredSignUp[]> {
  if (databaseUrl === null && !existsSync(getStorePath(dataDirectory))) return [];
  return withStore(dataDirectory, databaseUrl, async (store) => {
    const key = databaseUrl === null ? secretKeyIn(dataDirectory) : SHARED_KEY;
    const outbox = createOutbox(store, createCipher(key));
    const rows = await store.list({ states: [], limit: 1_000_000 });
    return rows.map((row) => {
      const { signUpId: id, formId, state, attempts, lastError } = row;
      const { answers = null, attribution = null, origin = null } = outbox.open(row) ?? {};
      return { id, formId, state, attempts, lastError, answers, attribution, page: origin?.page ?? null };
    });
  });
}

/** Number of sign-ups by state. */
export const countSignUps = (dataDirectory: string, databaseUrl: string | null = null) =>
  withStore(dataDirectory, databaseUrl, async (store) => (await store.stats()).counts);

/** Number of copies for a destination, by state. */
export const countCopies = (dataDirectory: string, databaseUrl: string | null = null, destination = 'environment') =>
  withStore(dataDirectory, databaseUrl, async (store) => (await store.copiesFor(destination).stats()).counts);
