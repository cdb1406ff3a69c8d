import { createHmac } from 'node:crypto';
import { deriveKey, isSame } from '@pillion/lib/secret-key.ts';

/** `outcome`: only in an acknowledgement. */
const FORMAT =
  /^(?<text>(?<change>[1-9]\d{0,18}) (?<server>[\da-f-]{36})(?: (?<outcome>live|unread))?) (?<signature>[\w-]{43})$/;

/** Number of a change, and id of the server that sent the notice. `isLive`: it acknowledges that it shows the change. */
interface Notice {
  change: string;
  server: string;
  isLive: boolean;
}

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
    /** @returns `null` if no server with this key has written the payload for this channel. */
    read(channel: string, payload: string): Notice | null {
      const { text = '', change = '', server = '', outcome, signature = '' } = FORMAT.exec(payload)?.groups ?? {};
      const isSigned = isSame(Buffer.from(signature), Buffer.from(sign(channel, text)));
      return isSigned ? { change, server, isLive: outcome === 'live' } : null;
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
