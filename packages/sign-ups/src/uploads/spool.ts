import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of an AES block, which the counter counts. */
const BLOCK_BYTES = 16;

/**
 * A temporary file for an upload: slow uploads use disk space, not memory. It is unlinked, so that a process that dies
 * leaves no file. It is encrypted (AES-256-CTR) with a key in memory only, so that the visitor's data cannot be read on
 * the disk.
 */
export async function createSpool(directory: string) {
  const path = join(directory, `.upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  const key = randomBytes(32);
  const nonce = randomBytes(8);
  /** The key stream that begins with this block. */
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
      for (let written = 0; written < sealed.length; )
        written += (await handle.write(sealed, written, sealed.length - written, from + written)).bytesWritten;
      return from;
    },
    async read(from: number, length: number): Promise<Buffer> {
      // The key stream begins with a whole block, so the file is read from the start of one.
      const blockOffset = from % BLOCK_BYTES;
      const start = from - blockOffset;
      const sealed = Buffer.alloc(blockOffset + length);
      for (let filled = 0; filled < sealed.length; ) {
        const { bytesRead } = await handle.read(sealed, filled, sealed.length - filled, start + filled);
        if (bytesRead === 0) throw new Error('the spool is shorter than what was written to it');
        filled += bytesRead;
      }
      return keyStream(start / BLOCK_BYTES)
        .update(sealed)
        .subarray(blockOffset);
    },
    close: () => handle.close(),
  };
}

export type Spool = Awaited<ReturnType<typeof createSpool>>;
