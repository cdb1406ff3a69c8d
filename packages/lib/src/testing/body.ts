import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a request to its end.
 * @returns `null` if the connection broke before the end, because the client was killed or gave up. An error here would
 * be an unhandled rejection, and fail a whole test run.
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
