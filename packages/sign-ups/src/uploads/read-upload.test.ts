import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import { readUpload } from './read-upload.ts';

const { folder } = undoAfterEach();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const BOUNDARY = 'x';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="input_1"; filename="film.bin"\r\n\r\n`;
const PIECES = 60;
const PIECE = 64 * 1024;

/** @returns The number of chunks in memory just before the end of the file. */
async function heldOf(signal?: AbortSignal): Promise<number> {
  const directory = folder();
  const refs: WeakRef<Uint8Array>[] = [];
  let held = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(HEAD);
    for (let at = 0; at < PIECES; at += 1) {
      const piece = new Uint8Array(PIECE).fill(at);
      refs.push(new WeakRef(piece));
      yield piece;
    }
    // A WeakRef keeps its target alive until the end of the event loop turn in which it was created or read.
    await new Promise((resolve) => setTimeout(resolve));
    collect();
    held = refs.filter((ref) => ref.deref()).length;
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }
  const upload = await readUpload(body(), {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    directory,
    admit: async () => new Map([['input_1', { maxBytes: PIECES * PIECE, maxFiles: 1 }]]),
    ...(signal && { signal }),
  });
  if (upload.kind !== 'read') throw new Error(upload.kind);
  const content = await upload.files[0]?.read();
  expect(content).toHaveLength(PIECES * PIECE);
  expect(content?.every((byte, at) => byte === Math.floor(at / PIECE))).toBe(true);
  await upload.release();
  return held;
}

test('invariant 17: an upload keeps only a few chunks in memory, independent of its size', async () => {
  // The parser's buffer (256 KB) and the current chunk.
  expect(await heldOf()).toBeLessThanOrEqual(6);
  expect(await heldOf(new AbortController().signal)).toBeLessThanOrEqual(6);
});

test('a stalled upload ends when its slot is needed', async () => {
  const directory = folder();
  const place = new AbortController();
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(HEAD);
    place.abort();
    await new Promise(() => {});
  }
  const options = { contentType: `multipart/form-data; boundary=${BOUNDARY}`, directory, admit: async () => new Map() };
  expect((await readUpload(body(), { ...options, signal: place.signal })).kind).toBe('aborted');
  expect((await readUpload(body(), { ...options, signal: place.signal })).kind).toBe('aborted');
});
