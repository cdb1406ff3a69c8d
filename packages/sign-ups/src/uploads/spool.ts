import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of an AES block, which the counter counts. */
const BLOCK_BYTES = 16;

/**
 * A temporary file for an upload. It is unlinked, so that a process that dies leaves no file. It is encrypted with a key in memory only, so that the
 * visitor's data cannot be read on the disk. Slow uploads use disk space, not memory.
 */
export async function createSpool(directory: string) {
  const path = join(directory, `.upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  const key = randomBytes(32);
  const nonce = randomBytes(8);
  /** The key stream from a block on. Its number is the counter's start. */
  const keyStream = (block: number) => {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(block));
    return createCipheriv('aes-256-ctr', key, Buffer.concat([nonce, counter]));
  };
  const encryption = keyStream(0);
  let size = 0;

  return {
    /** @returns The position of the chunk. @throws If the disk is full. */
    async append(chunk: Uint8Array): Promise<number> {
      const from = size;
      const sealed = encryption.update(chunk);
      size += sealed.length;
      for (let done = 0; done < sealed.length; )
        done += (await handle.write(sealed, done, sealed.length - done, from + done)).bytesWritten;
      return from;
    },
    async read(from: number, length: number): Promise<Buffer> {
      const blockOffset = from % BLOCK_BYTES;
      const sealed = Buffer.alloc(blockOffset + length);
      for (let done = 0; done < sealed.length; ) {
        const { bytesRead } = await handle.read(sealed, done, sealed.length - done, from - blockOffset + done);
        if (bytesRead === 0) throw new Error('the spool is shorter than what was written to it');
        done += bytesRead;
      }
      return keyStream((from - blockOffset) / BLOCK_BYTES)
        .update(sealed)
        .subarray(blockOffset);
    },
    close: () => handle.close(),
  };
}

export type Spool = Awaited<ReturnType<typeof createSpool>>;
