import type { Answers } from '../../app/content/types.ts';
import type { Cipher } from './cipher.ts';
import type { SignUpStore, StoredSignUp } from './store/store.ts';

export type { Answers } from '../../app/content/types.ts';

export interface TakenSignUp {
  signUpId: string;
  formId: number;
  answers: Answers;
  consentText: string | null;
  /** Why it was set aside as probable spam, `null` where nothing speaks against it. */
  suspected: string | null;
}

/** The store as the rest of the house uses it: answers go in and come out readable, and lie there sealed. */
export interface Outbox {
  store: SignUpStore;
  /** Resolves once it is on the disk: only then may the visitor be thanked. */
  keep: (signUp: TakenSignUp) => Promise<'added' | 'repeated' | 'changed'>;
  /** @returns `null` where it was erased. @throws Where it cannot be opened: the key is another one. */
  answersOf: (signUp: StoredSignUp) => Answers | null;
}

export function createOutbox(store: SignUpStore, cipher: Cipher, now: () => number = Date.now): Outbox {
  return {
    store,
    async keep({ signUpId, formId, answers, consentText, suspected }) {
      const text = JSON.stringify(answers);
      return store.add({
        signUpId,
        formId,
        state: suspected === null ? 'waiting' : 'set-aside',
        payload: cipher.seal(signUpId, text),
        digest: cipher.digest(text),
        consentText,
        createdAt: now(),
        note: suspected,
      });
    },
    answersOf: ({ signUpId, payload }) => payload && (JSON.parse(cipher.open(signUpId, payload)) as Answers),
  };
}
