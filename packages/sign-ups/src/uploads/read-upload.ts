import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { LARGEST_UPLOAD } from '@pillion/forms/files.ts';
import { HEAD_LENGTH } from './kinds.ts';
import { safeName } from './names.ts';
import { createSpool, type Spool } from './spool.ts';

/** What is not a file: answers, ids and what stands between the parts. As much as a form without files may send. */
export const LARGEST_TEXT = 64 * 1024;

/** Longest body with files, in bytes. */
export const LARGEST_BODY = LARGEST_UPLOAD + LARGEST_TEXT;

/** Parts of any real form, and more; each costs something to read. */
const MOST_PARTS = 1_000;

/** One file as it was sent; what is in it lies in the spool. */
export interface SentFile {
  /** Name of the control. */
  input: string;
  /** Made safe. */
  name: string;
  /** As it was sent, even where it was not kept. */
  size: number;
  head: Uint8Array;
  /** @throws Where it was not kept, being more or larger than its field allows. */
  read: () => Promise<Buffer>;
}

/** What one field of a form may take. */
export interface Allowance {
  maxBytes: number;
  maxFiles: number;
}

export type Upload =
  | { kind: 'read'; sent: FormData; files: SentFile[]; release: () => Promise<void> }
  /** Whoever was asked said no: nothing was kept, and the rest was read past. */
  | { kind: 'refused' }
  | { kind: 'too-large' }
  | { kind: 'unreadable' }
  /** It was too slow, and another one needed its place. */
  | { kind: 'dropped' }
  /** The disk is full, or its like. */
  | { kind: 'failed'; error: unknown };

interface Options {
  contentType: string;
  /** Where the spool may lie. */
  directory: string;
  /**
   * Asked once, before the first file is taken, with what was sent until then.
   * @returns What fields of the form take files, by the name of their control; `null`: none of this is wanted.
   */
  admit: (sent: FormData) => Promise<ReadonlyMap<string, Allowance> | null>;
  /** Aborted when reading has to end. */
  dropped?: AbortSignal;
}

const SLICE = 64 * 1024;

/**
 * Takes pieces as they come, until it is told to stop: whoever sends nothing more is not waited for. Each wait is a promise
 * of its own. A race with one promise that lasts would hold each piece that ever won it, so the whole of what is sent.
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

/** However large the pieces are that the network hands over, they are worked on in small ones. */
async function* slices(body: AsyncIterable<Uint8Array>, dropped?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of piecesUntil(dropped, body))
      for (let from = 0; from < chunk.byteLength; from += SLICE) yield chunk.subarray(from, from + SLICE);
  } catch (error) {
    // Else the visitor went away, or her connection did.
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

/** How far what came may be ahead of what was taken out of it, in bytes. */
const IN_BETWEEN = 256 * 1024;

/** Control names of lists end in `[]` where Gravity Forms wrote the form. */
const plainName = (name: string) => name.replace(/\[\]$/, '');

/**
 * Reads a form with files as it comes, within its limits, and never holds more than a few pieces of it in memory.
 * @param body Not read further than the first limit it breaks.
 */
export async function readUpload(body: AsyncIterable<Uint8Array>, options: Options): Promise<Upload> {
  const { contentType, directory, admit, dropped } = options;
  const sent = new FormData();
  const files: SentFile[] = [];
  let spool: Spool | null = null;
  let allowances: Promise<ReadonlyMap<string, Allowance>> | null = null;
  let failure: unknown = null;
  let current: Readable | null = null;
  let keptBytes = 0;
  let parser: InstanceType<typeof Busboy>;

  const fail = (error: unknown) => {
    failure ??= error;
    current?.resume();
  };
  const admitted = () => {
    allowances ??= admit(sent).then((given) => {
      if (given === null) throw new Stop('refused');
      return given;
    });
    return allowances;
  };

  async function take(input: string, stream: Readable, name: string): Promise<void> {
    current = stream;
    const allowance = name === '' ? null : (await admitted()).get(input);
    const isKept = allowance != null && files.filter((file) => file.input === input).length < allowance.maxFiles;
    const pieces: Uint8Array[] = [];
    let from: number | null = null;
    let size = 0;
    // Not destroyed where this fails: the parser waits until what it began to hand over was read.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size < HEAD_LENGTH) pieces.push(chunk.subarray(0, HEAD_LENGTH - size));
      size += chunk.length;
      if (allowance) keptBytes += chunk.length;
      if (!isKept || size > allowance.maxBytes) continue;
      spool ??= await createSpool(directory);
      const at = await spool.append(chunk);
      from ??= at;
    }
    // A control in which nothing was chosen sends an empty file without a name.
    if (!allowance || (name === '' && size === 0)) return;
    const isWhole = isKept && size <= allowance.maxBytes;
    const at = from ?? 0;
    const read = async () => {
      if (!isWhole) throw new Error('the file was not kept');
      return size === 0 || !spool ? Buffer.alloc(0) : spool.read(at, size);
    };
    files.push({ input, name: safeName(name), size, head: Buffer.concat(pieces), read });
  }

  /** One after the other, as they come. */
  let taking: Promise<void> = Promise.resolve();
  function onFile(input: string, stream: Readable, name: string | undefined): void {
    stream.on('error', fail);
    taking = taking
      .then(() => (failure === null ? take(plainName(input), stream, name ?? '') : void stream.resume()))
      .catch((error: unknown) => {
        fail(error);
        stream.resume();
      });
  }

  /** What a form has no field for counts as text: it may not carry more than one without files. */
  const isTooMuchText = (total: number) => total - keptBytes > LARGEST_TEXT;

  async function pump(): Promise<void> {
    let total = 0;
    for await (const chunk of slices(body, dropped)) {
      total += chunk.byteLength;
      if (total > LARGEST_BODY) throw new Stop('too-large');
      // A visitor who is refused hears of it once she has sent all. What she sends then is nobody's to read.
      if (failure instanceof Stop && failure.kind === 'refused') continue;
      if (!parser.write(chunk)) await once(parser, 'drain');
      if (failure !== null) throw failure;
      if (isTooMuchText(total - IN_BETWEEN)) throw new Stop('too-large');
    }
    if (failure !== null) throw failure;
    const finished = once(parser, 'finish');
    parser.end();
    await finished;
    await taking;
    if (failure !== null) throw failure;
    if (isTooMuchText(total)) throw new Stop('too-large');
  }

  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: LARGEST_TEXT, parts: MOST_PARTS, headerSize: LARGEST_TEXT, headerPairs: 50 },
    });
  } catch {
    return { kind: 'unreadable' };
  }
  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (isTruncated) fail(new Stop('too-large'));
    else sent.append(name, value);
  });
  parser.on('file', (input, stream, name) => onFile(input, stream, name as string | undefined));
  parser.on('partsLimit', () => fail(new Stop('too-large')));
  parser.on('error', () => fail(new Stop('unreadable')));
  const release = async () => spool?.close();
  try {
    await pump();
    for (const { input, name } of files) sent.append(input, new File([], name));
    return { kind: 'read', sent, files, release };
  } catch (error) {
    failure ??= error;
    parser.destroy();
    (current as Readable | null)?.destroy();
    await taking;
    await release();
    return error instanceof Stop ? { kind: error.kind } : { kind: 'failed', error };
  }
}
