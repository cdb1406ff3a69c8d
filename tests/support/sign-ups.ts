import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { secretKeyIn } from '../../server/secret-key.ts';
import { createCipher } from '../../server/sign-ups/cipher.ts';
import { type Answers, createOutbox } from '../../server/sign-ups/outbox.ts';
import { createDirectSqliteStore } from '../../server/sign-ups/store/sqlite-store.ts';
import type { SignUpState } from '../../server/sign-ups/store/store.ts';

export interface KeptSignUp {
  id: string;
  formId: number;
  state: SignUpState;
  attempts: number;
  answers: Answers | null;
}

/** The file sign-ups lie in. */
export const storeIn = (dataDirectory: string) => join(dataDirectory, 'sign-ups.sqlite');

/** Everything a site has kept, read beside it as an operator would. */
export async function keptSignUps(dataDirectory: string): Promise<KeptSignUp[]> {
  if (!existsSync(storeIn(dataDirectory))) return [];
  const store = createDirectSqliteStore(dataDirectory);
  try {
    const outbox = createOutbox(store, createCipher(secretKeyIn(dataDirectory)));
    const rows = await store.list({ states: [], limit: 1_000_000 });
    return rows.map((row) => {
      const { signUpId: id, formId, state, attempts } = row;
      return { id, formId, state, attempts, answers: outbox.answersOf(row) };
    });
  } finally {
    await store.close();
  }
}
