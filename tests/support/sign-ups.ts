import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { secretKeyIn } from '../../server/secret-key.ts';
import { createCipher } from '../../server/sign-ups/cipher.ts';
import { type Answers, createOutbox } from '../../server/sign-ups/outbox.ts';
import { openStoreForCommands } from '../../server/sign-ups/store/open-store.ts';
import type { SignUpState, SignUpStore } from '../../server/sign-ups/store/store.ts';

export interface KeptSignUp {
  id: string;
  formId: number;
  state: SignUpState;
  attempts: number;
  answers: Answers | null;
}

/** The file sign-ups lie in. */
export const storeIn = (dataDirectory: string) => join(dataDirectory, 'sign-ups.sqlite');

async function withStore<T>(
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
 * Everything a site has kept, read beside it as an operator would.
 * @param databaseUrl Where it keeps it in a database; the key lies in the data folder all the same.
 */
export async function keptSignUps(dataDirectory: string, databaseUrl: string | null = null): Promise<KeptSignUp[]> {
  if (databaseUrl === null && !existsSync(storeIn(dataDirectory))) return [];
  return withStore(dataDirectory, databaseUrl, async (store) => {
    const outbox = createOutbox(store, createCipher(secretKeyIn(dataDirectory)));
    const rows = await store.list({ states: [], limit: 1_000_000 });
    return rows.map((row) => {
      const { signUpId: id, formId, state, attempts } = row;
      return { id, formId, state, attempts, answers: outbox.answersOf(row) };
    });
  });
}

/** How many there are in which state. */
export const countsOf = (dataDirectory: string, databaseUrl: string | null = null) =>
  withStore(dataDirectory, databaseUrl, async (store) => (await store.stats()).counts);
