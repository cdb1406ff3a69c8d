import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A place on the disk for what is still being sent. */
export interface Spool {
  /** @returns Where it begins. @throws When the disk is full. */
  append: (chunk: Uint8Array) => Promise<number>;
  read: (from: number, size: number) => Promise<Buffer>;
  close: () => Promise<void>;
}

/** Bytes of a block of AES, by which its counter goes. */
const BLOCK = 16;

/**
 * A file without a name, so that a process that dies leaves nothing behind, sealed with a key that is written nowhere, so
 * that nobody reads on the disk what a visitor sends. Slow visitors fill it rather than the memory.
 */
export async function createSpool(directory: string): Promise<Spool> {
  const path = join(directory, `.upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  const key = randomBytes(32);
  const nonce = randomBytes(8);
  /** The key stream from a block on: the counter's place is the block's number. */
  const keyStream = (block: number) => {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(block));
    return createCipheriv('aes-256-ctr', key, Buffer.concat([nonce, counter]));
  };
  const sealing = keyStream(0);
  let size = 0;

  return {
    async append(chunk) {
      const from = size;
      const sealed = sealing.update(chunk);
      size += sealed.length;
      for (let done = 0; done < sealed.length; )
        done += (await handle.write(sealed, done, sealed.length - done, from + done)).bytesWritten;
      return from;
    },
    async read(from, length) {
      const skipped = from % BLOCK;
      const sealed = Buffer.alloc(skipped + length);
      for (let done = 0; done < sealed.length; ) {
        const { bytesRead } = await handle.read(sealed, done, sealed.length - done, from - skipped + done);
        if (bytesRead === 0) throw new Error('the spool is shorter than what was written to it');
        done += bytesRead;
      }
      return keyStream((from - skipped) / BLOCK)
        .update(sealed)
        .subarray(skipped);
    },
    close: () => handle.close(),
  };
}
