import { hash } from 'node:crypto';
import type { Confirmation } from '@pillion/content/forms/after-sending.ts';
import type { Answers } from '@pillion/forms/form.ts';
import type { Attribution } from '@pillion/lib/attribution.ts';
import type { Purpose } from '@pillion/lib/consent.ts';
import type { AddResult, QueuedRow, SignUpStore } from '../store/store.ts';
import type { Cipher } from './cipher.ts';

/** A file of a sign-up, as stored and delivered. */
export interface StoredFile {
  /** Name of its control, followed by `[]` if the field takes several files. */
  input: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** The visitor's page, browser and address, for the backend's entry. Stored until delivery. */
export interface Origin {
  /** Address of the page on the site. */
  page: string;
  /** The browser's `User-Agent`. */
  agent: string;
  /** IP address; empty if the form does not store it. */
  address: string;
}

/** What a destination gets besides chosen answers. */
export interface CopyDetails {
  pagePath: string;
  language: string;
  attribution: Attribution;
  /** Not sent. It decides at each attempt whether a destination may have the copy. */
  consent: readonly Purpose[];
}

/** A file without its content. */
export type FileDetails = Omit<StoredFile, 'bytes'> & { size: number };

/** The decrypted content of a row. */
export interface Payload {
  answers: Answers;
  files: StoredFile[];
  /** `null` after delivery. */
  origin: Origin | null;
  /** The campaigns that led to it; `null`: none. Stored as long as the answers. */
  attribution: Attribution | null;
  /** Not yet sanitised. `null` before delivery. */
  confirmation: Confirmation | null;
  /** Files whose content was removed after delivery. */
  dropped: FileDetails[];
  /** Absent: this is no copy for a destination. */
  copy?: CopyDetails;
}

export interface AcceptedSignUp {
  signUpId: string;
  formId: number;
  answers: Answers;
  consentText: string | null;
  files?: StoredFile[];
  /** Absent if unknown. */
  origin?: Origin;
  attribution?: Attribution | null;
  language?: string;
  /** Purposes that the visitor agreed to. Default: none. */
  consent?: readonly Purpose[];
  /** Why it was set aside as probable spam; `null` if it was not. */
  suspected: string | null;
}

/** The parts of a sign-up that the destinations get, by their ids. */
export type CopiesOf = (signUp: AcceptedSignUp) => { destination: string; answers: Answers; copy: CopyDetails }[];

/** The store with encryption: callers add and read plain answers. */
export function createOutbox(
  store: SignUpStore,
  cipher: Cipher,
  now: () => number = Date.now,
  copiesOf: CopiesOf = () => [],
) {
  return {
    store,
    /** Resolves after the commit. Only then may the site confirm the sign-up. */
    async add(signUp: AcceptedSignUp): Promise<AddResult> {
      const { signUpId, formId, answers, consentText, suspected, origin, attribution } = signUp;
      const { consent = [], files = [] } = signUp;
      return store.add({
        signUpId,
        formId,
        state: suspected === null ? 'waiting' : 'set-aside',
        payload: cipher.seal(
          signUpId,
          packPayload(answers, files, { ...(origin && { origin }), ...(attribution && { attribution }) }),
        ),
        digest: cipher.digest(comparableContent(answers, files)),
        consentText,
        consent,
        copies: copiesOf(signUp).map(({ destination, answers, copy }) => ({
          destination,
          payload: cipher.seal(signUpId, packPayload(answers, [], { copy })),
        })),
        createdAt: now(),
        note: suspected,
      });
    },
    /**
     * Decrypts a row's payload. Files make this expensive, so callers open a row once.
     * @returns `null` if it was erased. @throws If the key is another one.
     */
    open: ({ signUpId, payload }: Pick<QueuedRow, 'signUpId' | 'payload'>): Payload | null =>
      payload ? readPayload(cipher.open(signUpId, payload)) : null,
    /**
     * Seals what stays stored after delivery: answers, campaigns, confirmation and files' names; of a copy, nothing.
     * @returns `null` if nothing changes.
     */
    sealDelivered(signUpId: string, payload: Payload, confirmation: Confirmation | null): Uint8Array | null {
      // The destination has the copy. The row's id and times stay as evidence.
      if (payload.copy) return cipher.seal(signUpId, packPayload({}, []));
      const changes = confirmation !== null || payload.origin !== null || payload.files.length > 0;
      return changes ? cipher.seal(signUpId, packDelivered(payload, confirmation)) : null;
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Answers without anything else are plain JSON. Otherwise the payload is: this byte, with which no JSON begins; the
 * length of the JSON (4 bytes, big-endian); the JSON, which lists the files in order; the files' contents.
 */
const BINARY_FORMAT = 1;
const HEADER_LENGTH = 5;

/** The JSON in the binary format. */
interface Contents extends Partial<Pick<Payload, 'origin' | 'attribution' | 'confirmation' | 'dropped' | 'copy'>> {
  answers: Answers;
  files: FileDetails[];
}

export const withoutBytes = ({ bytes, ...file }: StoredFile): FileDetails => ({ ...file, size: bytes.byteLength });

function packPayload(answers: Answers, files: StoredFile[], details: Partial<Omit<Contents, 'files'>> = {}) {
  if (files.length === 0 && Object.keys(details).length === 0) return JSON.stringify(answers);
  const contents = Buffer.from(
    JSON.stringify({ ...details, answers, files: files.map(withoutBytes) } satisfies Contents),
  );
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeUInt8(BINARY_FORMAT);
  header.writeUInt32BE(contents.length, 1);
  return Buffer.concat([header, contents, ...files.map(({ bytes }) => bytes)]);
}

const NO_DETAILS = { origin: null, attribution: null, confirmation: null, dropped: [] };

/** @throws If the bytes are no payload. */
function readPayload(packed: Buffer): Payload {
  if (packed[0] !== BINARY_FORMAT)
    return { ...NO_DETAILS, answers: JSON.parse(packed.toString('utf8')) as Answers, files: [] };
  let offset = HEADER_LENGTH + packed.readUInt32BE(1);
  const contents = JSON.parse(packed.toString('utf8', HEADER_LENGTH, offset)) as Contents;
  const files = contents.files.map(({ size, ...file }) => {
    const bytes = packed.subarray(offset, offset + size);
    offset += size;
    return { ...file, bytes };
  });
  return { ...NO_DETAILS, ...contents, files };
}

/**
 * The payload after delivery: the answers, the campaigns and the confirmation. The backend has the files and the
 * origin.
 */
const packDelivered = ({ answers, attribution, files, dropped }: Payload, confirmation: Confirmation | null) =>
  packPayload(answers, [], {
    ...(attribution && { attribution }),
    ...(confirmation && { confirmation }),
    ...(files.length + dropped.length > 0 && { dropped: [...dropped, ...files.map(withoutBytes)] }),
  });

/** The content that a repeat is compared by: the answers and the files. */
const comparableContent = (answers: Answers, files: StoredFile[]): string =>
  JSON.stringify(answers) +
  files.map(({ input, name, bytes }) => `\n${input} ${name} ${hash('sha256', bytes)}`).join('');
