import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { MAX_UPLOAD_BYTES } from '@pillion/forms/files.ts';
import { HEAD_LENGTH } from './kinds.ts';
import { safeName } from './names.ts';
import { createSpool, type Spool } from './spool.ts';

/** Maximum bytes of answers, ids and separators together. A form without files has the same limit. */
export const MAX_TEXT_BYTES = 64 * 1024;

/** Longest body with files, in bytes. */
export const MAX_BODY_BYTES = MAX_UPLOAD_BYTES + MAX_TEXT_BYTES;

/** More parts than any real form has. */
const MAX_PARTS = 1_000;

/** One file as sent. Its content is in the spool. */
export interface SentFile {
  /** Name of the control. */
  input: string;
  /** The safe name. */
  name: string;
  /** Size as sent, also if the file was not stored. */
  size: number;
  /** The first `HEAD_LENGTH` bytes. */
  head: Uint8Array;
  /** @throws If the file was not stored, because it exceeds its field's limits. */
  read: () => Promise<Buffer>;
}

/** Limits of one field. */
export interface FileLimits {
  maxBytes: number;
  maxFiles: number;
}

export type Upload =
  | { kind: 'read'; sent: FormData; files: SentFile[]; release: () => Promise<void> }
  /** `admit` returned `null`: nothing was stored and the rest was ignored. */
  | { kind: 'not-admitted' }
  | { kind: 'too-large' }
  | { kind: 'unreadable' }
  /** The upload was too slow, and another one needed its slot. */
  | { kind: 'aborted' }
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
  admit: (sent: FormData) => Promise<ReadonlyMap<string, FileLimits> | null>;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** Size of the chunks that the parser gets. */
const SLICE_BYTES = 64 * 1024;

/**
 * Yields chunks until an abort, and does not wait for the next chunk then. Every wait is a new promise: a race with one
 * lasting promise would keep every chunk in memory.
 */
async function* chunksUntilAbort(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  const iterator = body[Symbol.asyncIterator]();
  let rejectNext = () => {};
  signal?.addEventListener('abort', () => rejectNext(), { once: true });
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>();
    rejectNext = () => reject(new UploadError('aborted'));
    if (signal?.aborted) rejectNext();
    else iterator.next().then(resolve, reject);
    const { value, done } = await promise;
    if (done) return;
    yield value;
  }
}

/** Splits large chunks of the network into small ones. */
async function* sliceChunks(body: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunksUntilAbort(body, signal))
      for (let from = 0; from < chunk.byteLength; from += SLICE_BYTES) yield chunk.subarray(from, from + SLICE_BYTES);
  } catch (error) {
    // An error that is not from here means that the client closed the connection.
    throw error instanceof UploadError ? error : new UploadError('unreadable');
  }
}

class UploadError extends Error {
  readonly kind: 'not-admitted' | 'too-large' | 'unreadable' | 'aborted';
  constructor(kind: UploadError['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** How far the bytes received may be ahead of the bytes parsed. */
const MAX_PARSER_LAG_BYTES = 256 * 1024;

/** The name of a list control may end in `[]`, as on WordPress' own pages. */
const plainName = (name: string) => name.replace(/\[\]$/, '');

/** Reads the files of one form into a spool, one after the other, within the limits of their fields. */
function createFileReader({ directory, admit }: Options, sent: FormData, onError: (error: unknown) => void) {
  const files: SentFile[] = [];
  let fileBytes = 0;
  let admission: ReturnType<typeof admit> | null = null;
  let spool: Spool | null = null;
  let current: Readable | null = null;
  let reading: Promise<void> = Promise.resolve();

  /** @returns `undefined` if the form has no such file field. @throws UploadError If the form is not admitted. */
  async function limitsOf(input: string): Promise<FileLimits | undefined> {
    admission ??= admit(sent);
    const limitsByInput = await admission;
    if (limitsByInput === null) throw new UploadError('not-admitted');
    return limitsByInput.get(input);
  }

  async function readFile(input: string, stream: Readable, name: string): Promise<void> {
    current = stream;
    // A file control without a selection sends an empty file without a name.
    const limits = name === '' ? undefined : await limitsOf(input);
    const isCountAllowed = limits && files.filter((file) => file.input === input).length < limits.maxFiles;
    const isWithinLimits = () => isCountAllowed === true && size <= limits.maxBytes;
    const headChunks: Uint8Array[] = [];
    let spoolStart: number | null = null;
    let size = 0;
    // Do not destroy the stream after an error: the parser waits until the part is read.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size < HEAD_LENGTH) headChunks.push(chunk.subarray(0, HEAD_LENGTH - size));
      size += chunk.length;
      if (limits) fileBytes += chunk.length;
      if (!isWithinLimits()) continue;
      spool ??= await createSpool(directory);
      const position = await spool.append(chunk);
      spoolStart ??= position;
    }
    if (!limits) return;
    const isStored = isWithinLimits();
    const start = spoolStart ?? 0;
    const read = async () => {
      if (!isStored) throw new Error('the file was not stored');
      return size === 0 || !spool ? Buffer.alloc(0) : spool.read(start, size);
    };
    files.push({ input, name: safeName(name), size, head: Buffer.concat(headChunks), read });
  }

  return {
    files,
    /** Bytes received of files whose field is in the form. */
    fileBytes: () => fileBytes,
    /** @param isIgnored Whether the form has failed, so that the file is not stored. */
    add(input: string, stream: Readable, name: string, isIgnored: () => boolean): void {
      stream.on('error', onError);
      reading = reading
        .then(() => (isIgnored() ? void stream.resume() : readFile(plainName(input), stream, name)))
        .catch((error: unknown) => {
          onError(error);
          stream.resume();
        });
    },
    /** Reads the rest of the current file without storing it. */
    skip: () => void current?.resume(),
    /** Ends the current file. */
    destroy: () => void current?.destroy(),
    /** Resolves when all files are read. */
    finished: () => reading,
    /** Removes the spool. */
    release: async () => spool?.close(),
  };
}

/** @returns `null` if the type names no form. */
function parserFor(contentType: string): InstanceType<typeof Busboy> | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: MAX_TEXT_BYTES, parts: MAX_PARTS, headerSize: MAX_TEXT_BYTES, headerPairs: 50 },
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
  const { contentType, signal } = options;
  const parser = parserFor(contentType);
  if (!parser) return { kind: 'unreadable' };
  const sent = new FormData();
  /** The first one. */
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    reader.skip();
  };
  const reader = createFileReader(options, sent, fail);
  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (isTruncated) fail(new UploadError('too-large'));
    else sent.append(name, value);
  });
  parser.on('file', (input, stream, name) => reader.add(input, stream, String(name ?? ''), () => failure !== null));
  parser.on('partsLimit', () => fail(new UploadError('too-large')));
  parser.on('error', () => fail(new UploadError('unreadable')));

  /** Files without a field in the form count as text, so they have the limit of a form without files. */
  const isTooMuchText = (total: number) => total - reader.fileBytes() > MAX_TEXT_BYTES;

  const parseBody = async (): Promise<void> => {
    let total = 0;
    for await (const chunk of sliceChunks(body, signal)) {
      total += chunk.byteLength;
      if (total > MAX_BODY_BYTES) throw new UploadError('too-large');
      // After a refusal the rest is ignored, but read: visitors see the response only after they have sent everything.
      if (failure instanceof UploadError && failure.kind === 'not-admitted') continue;
      if (!parser.write(chunk)) await once(parser, 'drain');
      if (failure !== null) throw failure;
      if (isTooMuchText(total - MAX_PARSER_LAG_BYTES)) throw new UploadError('too-large');
    }
    if (failure !== null) throw failure;
    const finished = once(parser, 'finish');
    parser.end();
    await finished;
    await reader.finished();
    if (failure !== null) throw failure;
    if (isTooMuchText(total)) throw new UploadError('too-large');
  };

  try {
    await parseBody();
    for (const { input, name } of reader.files) sent.append(input, new File([], name));
    return { kind: 'read', sent, files: reader.files, release: reader.release };
  } catch (error) {
    failure ??= error;
    parser.destroy();
    reader.destroy();
    await reader.finished();
    await reader.release();
    // The first failure counts: the parser's own error follows it.
    return failure instanceof UploadError ? { kind: failure.kind } : { kind: 'failed', error: failure };
  }
}
