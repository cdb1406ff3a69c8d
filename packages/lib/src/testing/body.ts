import type { IncomingMessage } from 'node:http';

/**
 * What somebody sends, read to its end.
 * @returns `null` where the connection broke off before: whoever asked was killed, or has given up, and nobody is left to
 *   be answered. A server of ours that did not catch this would fail a whole run for a promise that nobody waits for.
 */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}
