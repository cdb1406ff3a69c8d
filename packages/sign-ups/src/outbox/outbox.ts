import type { Unchecked } from '@pillion/content/forms/form-check.ts';
import type { Answers } from '@pillion/forms/form.ts';
import type { SignUpStore, StoredSignUp } from '../store/store.ts';
import type { Cipher } from './cipher.ts';
import {
  type Confirmation,
  contentOf,
  type KeptFile,
  type Origin,
  type Payload,
  packDelivered,
  packPayload,
  readPayload,
} from './payload.ts';

export interface TakenSignUp {
  signUpId: string;
  formId: number;
  answers: Answers;
  consentText: string | null;
  /** What came along with the answers. */
  files?: KeptFile[];
  /** Whose it is; absent where nobody knows. */
  origin?: Origin;
  /** Why it was set aside as probable spam, `null` where nothing speaks against it. */
  suspected: string | null;
  /** What WordPress could not be asked before the visitor was thanked. */
  unchecked?: Unchecked[];
}

/** The store as the rest of the house uses it: answers go in and come out readable, and lie there sealed. */
export interface Outbox {
  store: SignUpStore;
  /** Resolves once it is on the disk: only then may the visitor be thanked. */
  keep: (signUp: TakenSignUp) => Promise<'added' | 'repeated' | 'changed'>;
  /**
   * Opens what is sealed in a row. Files make this costly, so a caller opens a row once and hands on what it got.
   * @returns `null` where it was erased. @throws Where it cannot be opened: the key is another one.
   */
  open: (signUp: Pick<StoredSignUp, 'signUpId' | 'payload'>) => Payload | null;
  /** Seals what stays of a sign-up that WordPress has; `null` where nothing changes. */
  sealDelivered: (signUpId: string, payload: Payload, confirmation: Confirmation | null) => Uint8Array | null;
}

export function createOutbox(store: SignUpStore, cipher: Cipher, now: () => number = Date.now): Outbox {
  return {
    store,
    async keep({ signUpId, formId, answers, consentText, suspected, files = [], origin }) {
      return store.add({
        signUpId,
        formId,
        state: suspected === null ? 'waiting' : 'set-aside',
        payload: cipher.seal(signUpId, packPayload(answers, files, origin && { origin })),
        digest: cipher.digest(contentOf(answers, files)),
        consentText,
        createdAt: now(),
        note: suspected,
      });
    },
    open: ({ signUpId, payload }) => (payload ? readPayload(cipher.open(signUpId, payload)) : null),
    sealDelivered(signUpId, payload, confirmation) {
      const changes = confirmation !== null || payload.origin !== null || payload.files.length > 0;
      return changes ? cipher.seal(signUpId, packDelivered(payload, confirmation)) : null;
    },
  };
}
