import { createHmac } from 'node:crypto';
import { deriveKey, isSame } from '@pillion/lib/secret-key.ts';

/** Number of a change, a server's id, for an acknowledgment what became of it, and the signature. */
const FORMAT = /^(?<text>[1-9]\d{0,18} [\da-f-]{36}(?: (?:live|unread))?) (?<signature>[\w-]{43})$/;

/**
 * Payloads of `NOTIFY`, signed: PostgreSQL lets every role of a database notify. Servers of an older version read them too
 * and ignore the signature.
 * @param secretKey The one that all servers share.
 */
export function createNotices(secretKey: string) {
  const key = deriveKey(secretKey, 'notices between servers');
  const sign = (channel: string, text: string) =>
    createHmac('sha256', key).update(`${channel} ${text}`).digest('base64url');

  return {
    /** @param words Number of the change, id of the server, and for an acknowledgment `live` or `unread`. */
    write(channel: string, ...words: string[]): string {
      const text = words.join(' ');
      return `${text} ${sign(channel, text)}`;
    },
    /** @returns The words; `null` where no server with this key has written them for this channel. */
    read(channel: string, payload: string): string[] | null {
      const { text, signature } = FORMAT.exec(payload)?.groups ?? {};
      if (text === undefined || signature === undefined) return null;
      const isOurs = isSame(Buffer.from(signature), Buffer.from(sign(channel, text)));
      return isOurs ? text.split(' ') : null;
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
