import { createHash } from 'node:crypto';
import type { Answers } from '@pillion/forms/form.ts';
import type { SignUpStore, StoredSignUp } from '../store/store.ts';
import type { Cipher } from './cipher.ts';

/** A file of a sign-up, as it is kept and delivered. */
export interface KeptFile {
  /** The name Gravity Forms takes it under: `input_5`, and `input_5[]` where there may be several. */
  input: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** Whose sign-up it is, as Gravity Forms would learn it on a page of its own. Kept until it is delivered. */
export interface Origin {
  /** Address of the page on the site. */
  page: string;
  /** What her browser calls itself. */
  agent: string;
  /** IP address; empty where the form keeps none. */
  address: string;
}

/** What the visitor is told or where she is taken, as WordPress worded it for her. Not yet sanitised. */
export type Confirmation = { type: 'message'; html: string } | { type: 'redirect'; url: string };

/** A file that was delivered, and is kept no more. */
export type DroppedFile = Omit<KeptFile, 'bytes'> & { size: number };

/** What lies sealed in a row of the store. */
export interface Payload {
  answers: Answers;
  files: KeptFile[];
  /** `null` once it was delivered. */
  origin: Origin | null;
  /** `null` until it was delivered. */
  confirmation: Confirmation | null;
  dropped: DroppedFile[];
}

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

/**
 * Answers alone are their JSON, as they always were. With more there stands, before what is in the files: this byte, which
 * no JSON begins with, four bytes for the length of the JSON (big-endian), and the JSON, which names them in their order.
 */
const WITH_MORE = 1;
const HEAD_LENGTH = 5;

interface Contents extends Partial<Pick<Payload, 'origin' | 'confirmation' | 'dropped'>> {
  answers: Answers;
  files: DroppedFile[];
}

const outlineOf = ({ bytes, ...file }: KeptFile): DroppedFile => ({ ...file, size: bytes.byteLength });

/** @returns What is sealed and stored. */
function packPayload(answers: Answers, files: KeptFile[], more: Partial<Omit<Contents, 'files'>> = {}) {
  if (files.length === 0 && Object.keys(more).length === 0) return JSON.stringify(answers);
  const contents = Buffer.from(JSON.stringify({ ...more, answers, files: files.map(outlineOf) } satisfies Contents));
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUInt8(WITH_MORE);
  head.writeUInt32BE(contents.length, 1);
  return Buffer.concat([head, contents, ...files.map(({ bytes }) => bytes)]);
}

const NOTHING_MORE = { origin: null, confirmation: null, dropped: [] };

/** @throws Where the bytes are no payload. */
function readPayload(packed: Buffer): Payload {
  if (packed[0] !== WITH_MORE)
    return { ...NOTHING_MORE, answers: JSON.parse(packed.toString('utf8')) as Answers, files: [] };
  let at = HEAD_LENGTH + packed.readUInt32BE(1);
  const contents = JSON.parse(packed.toString('utf8', HEAD_LENGTH, at)) as Contents;
  const files = contents.files.map(({ size, ...file }) => {
    const bytes = packed.subarray(at, at + size);
    at += size;
    return { ...file, bytes };
  });
  return { ...NOTHING_MORE, ...contents, files };
}

/**
 * What is kept of a sign-up that WordPress has: the answers, and what she was told. Its files lie in WordPress now, and
 * where she came from was for the entry alone.
 */
const packDelivered = ({ answers, files, dropped }: Payload, confirmation: Confirmation | null) =>
  packPayload(answers, [], {
    ...(confirmation && { confirmation }),
    ...(files.length + dropped.length > 0 && { dropped: [...dropped, ...files.map(outlineOf)] }),
  });

/** What tells whether a repeat says the same: the answers, and what is in the files. */
const contentOf = (answers: Answers, files: KeptFile[]): string =>
  JSON.stringify(answers) +
  files
    .map(({ input, name, bytes }) => `\n${input} ${name} ${createHash('sha256').update(bytes).digest('hex')}`)
    .join('');
