import { createHash } from 'node:crypto';
import type { Answers } from '../../app/content/types.ts';

/** A file of a sign-up, as it is kept and delivered. */
export interface KeptFile {
  /** The name Gravity Forms takes it under: `input_5`, and `input_5[]` where there may be several. */
  input: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

export interface Opened {
  answers: Answers;
  files: KeptFile[];
}

/**
 * Answers alone are their JSON, as they always were. With files there stands, before what is in them: this byte, which no
 * JSON begins with, four bytes for the length of the JSON (big-endian), and the JSON, which names them in their order.
 */
const WITH_FILES = 1;
const HEAD_LENGTH = 5;

interface Contents {
  answers: Answers;
  files: (Omit<KeptFile, 'bytes'> & { size: number })[];
}

export function packParcel(answers: Answers, files: KeptFile[]): string | Uint8Array {
  if (files.length === 0) return JSON.stringify(answers);
  const named = files.map(({ bytes, ...file }) => ({ ...file, size: bytes.byteLength }));
  const contents = Buffer.from(JSON.stringify({ answers, files: named } satisfies Contents));
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUInt8(WITH_FILES);
  head.writeUInt32BE(contents.length, 1);
  return Buffer.concat([head, contents, ...files.map(({ bytes }) => bytes)]);
}

export function openParcel(parcel: Buffer): Opened {
  if (parcel[0] !== WITH_FILES) return { answers: JSON.parse(parcel.toString('utf8')) as Answers, files: [] };
  let at = HEAD_LENGTH + parcel.readUInt32BE(1);
  const { answers, files } = JSON.parse(parcel.toString('utf8', HEAD_LENGTH, at)) as Contents;
  const opened = files.map(({ size, ...file }) => {
    const bytes = parcel.subarray(at, at + size);
    at += size;
    return { ...file, bytes };
  });
  return { answers, files: opened };
}

/** What tells whether a repeat says the same: the answers, and what is in the files. */
export const textOf = (answers: Answers, files: KeptFile[]): string =>
  JSON.stringify(answers) +
  files
    .map(({ input, name, bytes }) => `\n${input} ${name} ${createHash('sha256').update(bytes).digest('hex')}`)
    .join('');
