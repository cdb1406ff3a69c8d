import type { Answers } from '../../app/content/types.ts';
import type { Cipher } from './cipher.ts';
import { type KeptFile, type Opened, openParcel, packParcel, textOf } from './parcel.ts';
import type { SignUpStore, StoredSignUp } from './store/store.ts';

export type { Answers } from '../../app/content/types.ts';

export interface TakenSignUp {
  signUpId: string;
  formId: number;
  answers: Answers;
  consentText: string | null;
  /** What came along with the answers. */
  files?: KeptFile[];
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
  /** The same with its files. */
  openedOf: (signUp: StoredSignUp) => Opened | null;
}

export function createOutbox(store: SignUpStore, cipher: Cipher, now: () => number = Date.now): Outbox {
  /** Opened once for the answers and the files: these can be large. */
  const known = new WeakMap<StoredSignUp, Opened>();
  function openedOf(signUp: StoredSignUp): Opened | null {
    const { signUpId, payload } = signUp;
    if (!payload) return null;
    const opened = known.get(signUp) ?? openParcel(cipher.open(signUpId, payload));
    known.set(signUp, opened);
    return opened;
  }
  return {
    store,
    async keep({ signUpId, formId, answers, consentText, suspected, files = [] }) {
      return store.add({
        signUpId,
        formId,
        state: suspected === null ? 'waiting' : 'set-aside',
        payload: cipher.seal(signUpId, packParcel(answers, files)),
        digest: cipher.digest(textOf(answers, files)),
        consentText,
        createdAt: now(),
        note: suspected,
      });
    },
    openedOf,
    answersOf: (signUp) => openedOf(signUp)?.answers ?? null,
  };
}
