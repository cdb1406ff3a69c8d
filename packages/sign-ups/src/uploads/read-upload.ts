import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { LARGEST_UPLOAD } from '@pillion/forms/files.ts';
import { HEAD_LENGTH } from './kinds.ts';
import { safeName } from './names.ts';
import { createSpool, type Spool } from './spool.ts';

/** Maximum bytes of answers, ids and separators together. A form without files has the same limit. */
export const LARGEST_TEXT = 64 * 1024;

/** Longest body with files, in bytes. */
export const LARGEST_BODY = LARGEST_UPLOAD + LARGEST_TEXT;

/** More parts than any real form has. */
const MOST_PARTS = 1_000;

/** One file as sent. Its content is in the spool. */
export interface SentFile {
  /** Name of the control. */
  input: string;
  /** The safe name. */
  name: string;
  /** Size as sent, also if the file was not stored. */
  size: number;
  head: Uint8Array;
  /** @throws If the file was not stored, because it exceeds its field's limits. */
  read: () => Promise<Buffer>;
}

/** Limits of one field. */
export interface Allowance {
  maxBytes: number;
  maxFiles: number;
}

export type Upload =
  | { kind: 'read'; sent: FormData; files: SentFile[]; release: () => Promise<void> }
  /** `admit` returned `null`: nothing was stored and the rest was ignored. */
  | { kind: 'refused' }
  | { kind: 'too-large' }
  | { kind: 'unreadable' }
  /** The upload was too slow, and another one needed its slot. */
  | { kind: 'dropped' }
  /** For example a full disk. */
  | { kind: 'failed'; error: unknown };

interface Options {
  contentType: string;
  /** Folder of the spool. */
  directory: string;
  /**
   * Called once, before the first file, with the answers before it.
   * @returns The fields that accept files, by the name of their control; `null` refuses the form.
   */
  admit: (sent: FormData) => Promise<ReadonlyMap<string, Allowance> | null>;
  /** An abort ends the reading. */
  dropped?: AbortSignal;
}

const SLICE = 64 * 1024;

/**
 * Yields chunks until an abort, and does not wait for the next chunk then. Every wait is a new promise: a race with one
 * lasting promise would keep every chunk in memory.
 */
async function* piecesUntil(dropped: AbortSignal | undefined, body: AsyncIterable<Uint8Array>) {
  const iterator = body[Symbol.asyncIterator]();
  let stop = () => {};
  dropped?.addEventListener('abort', () => stop(), { once: true });
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>();
    stop = () => reject(new Stop('dropped'));
    if (dropped?.aborted) stop();
    else iterator.next().then(resolve, reject);
    const { value, done } = await promise;
    if (done) return;
    yield value;
  }
}

/** Splits large chunks of the network into small ones. */
async function* slices(body: AsyncIterable<Uint8Array>, dropped?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of piecesUntil(dropped, body))
      for (let from = 0; from < chunk.byteLength; from += SLICE) yield chunk.subarray(from, from + SLICE);
  } catch (error) {
    // Otherwise the client closed the connection.
    throw error instanceof Stop ? error : new Stop('unreadable');
  }
}

class Stop extends Error {
  readonly kind: 'refused' | 'too-large' | 'unreadable' | 'dropped';
  constructor(kind: Stop['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** How far the bytes received may be ahead of the bytes parsed. */
const IN_BETWEEN = 256 * 1024;

/** The name of a list control may end in `[]`, as on WordPress' own pages. */
const plainName = (name: string) => name.replace(/\[\]$/, '');

/** Takes the files of one form into a spool, one after the other, within the limits of their fields. */
class FileReader {
  readonly files: SentFile[] = [];
  /** Bytes of files whose field is in the form. */
  keptBytes = 0;
  readonly #directory: string;
  /** The fields that accept files. */
  readonly #allowances: () => Promise<ReadonlyMap<string, Allowance>>;
  readonly #onError: (error: unknown) => void;
  #spool: Spool | null = null;
  #current: Readable | null = null;
  #taking: Promise<void> = Promise.resolve();

  constructor(
    directory: string,
    allowances: () => Promise<ReadonlyMap<string, Allowance>>,
    onError: (error: unknown) => void,
  ) {
    this.#directory = directory;
    this.#allowances = allowances;
    this.#onError = onError;
  }

  /** @param isIgnored Whether the form has failed already. */
  add(input: string, stream: Readable, name: string, isIgnored: () => boolean): void {
    stream.on('error', this.#onError);
    this.#taking = this.#taking
      .then(() => (isIgnored() ? void stream.resume() : this.#take(plainName(input), stream, name)))
      .catch((error: unknown) => {
        this.#onError(error);
        stream.resume();
      });
  }

  /** Reads the rest of the current file without storing it. */
  skip(): void {
    this.#current?.resume();
  }

  /** Ends the current file. */
  destroy(): void {
    this.#current?.destroy();
  }

  /** Resolves when all files are taken. */
  finished(): Promise<void> {
    return this.#taking;
  }

  async release(): Promise<void> {
    await this.#spool?.close();
  }

  async #take(input: string, stream: Readable, name: string): Promise<void> {
    this.#current = stream;
    // A file control without a selection sends an empty file without a name.
    const allowance = name === '' ? undefined : (await this.#allowances()).get(input);
    const isKept = allowance && this.files.filter((file) => file.input === input).length < allowance.maxFiles;
    const isWithin = () => isKept === true && size <= allowance.maxBytes;
    const pieces: Uint8Array[] = [];
    let from: number | null = null;
    let size = 0;
    // Do not destroy the stream after an error: the parser waits until the part is read.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size < HEAD_LENGTH) pieces.push(chunk.subarray(0, HEAD_LENGTH - size));
      size += chunk.length;
      if (allowance) this.keptBytes += chunk.length;
      if (!isWithin()) continue;
      this.#spool ??= await createSpool(this.#directory);
      const at = await this.#spool.append(chunk);
      from ??= at;
    }
    if (!allowance) return;
    const isWhole = isWithin();
    const at = from ?? 0;
    const read = async () => {
      if (!isWhole) throw new Error('the file was not kept');
      return size === 0 || !this.#spool ? Buffer.alloc(0) : this.#spool.read(at, size);
    };
    this.files.push({ input, name: safeName(name), size, head: Buffer.concat(pieces), read });
  }
}

/** @returns `null` if the type names no form. */
function parserFor(contentType: string): InstanceType<typeof Busboy> | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: LARGEST_TEXT, parts: MOST_PARTS, headerSize: LARGEST_TEXT, headerPairs: 50 },
    });
  } catch {
    return null;
  }
}

/**
 * Reads a form with files as a stream, within its limits, with only a few chunks in memory.
 * @param body Not read after the first limit that it exceeds.
 */
export async function readUpload(body: AsyncIterable<Uint8Array>, options: Options): Promise<Upload> {
  const { contentType, directory, admit, dropped } = options;
  const parser = parserFor(contentType);
  if (!parser) return { kind: 'unreadable' };
  const sent = new FormData();
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    reader.skip();
  };
  let allowances: Promise<ReadonlyMap<string, Allowance>> | null = null;
  const reader = new FileReader(
    directory,
    () => {
      allowances ??= admit(sent).then((given) => {
        if (given === null) throw new Stop('refused');
        return given;
      });
      return allowances;
    },
    fail,
  );
  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (isTruncated) fail(new Stop('too-large'));
    else sent.append(name, value);
  });
  parser.on('file', (input, stream, name) => reader.add(input, stream, String(name ?? ''), () => failure !== null));
  parser.on('partsLimit', () => fail(new Stop('too-large')));
  parser.on('error', () => fail(new Stop('unreadable')));

  /** Files without a field in the form count as text, so they have the limit of a form without files. */
  const isTooMuchText = (total: number) => total - reader.keptBytes > LARGEST_TEXT;

  async function pump(to: NonNullable<typeof parser>): Promise<void> {
    let total = 0;
    for await (const chunk of slices(body, dropped)) {
      total += chunk.byteLength;
      if (total > LARGEST_BODY) throw new Stop('too-large');
      // After a refusal the rest is ignored, but read: visitors see the response only after they have sent everything.
      if (failure instanceof Stop && failure.kind === 'refused') continue;
      if (!to.write(chunk)) await once(to, 'drain');
      if (failure !== null) throw failure;
      if (isTooMuchText(total - IN_BETWEEN)) throw new Stop('too-large');
    }
    if (failure !== null) throw failure;
    const finished = once(to, 'finish');
    to.end();
    await finished;
    await reader.finished();
    if (failure !== null) throw failure;
    if (isTooMuchText(total)) throw new Stop('too-large');
  }

  try {
    await pump(parser);
    for (const { input, name } of reader.files) sent.append(input, new File([], name));
    return { kind: 'read', sent, files: reader.files, release: () => reader.release() };
  } catch (error) {
    failure ??= error;
    parser.destroy();
    reader.destroy();
    await reader.finished();
    await reader.release();
    // The first failure counts: the parser's own error follows it.
    return failure instanceof Stop ? { kind: failure.kind } : { kind: 'failed', error: failure };
  }
}
