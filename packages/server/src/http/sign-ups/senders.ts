import { afterSending } from '@pillion/content/forms/confirmations.ts';
import type { Form } from '@pillion/forms/form.ts';
import type { Log } from '@pillion/lib/log.ts';
import { networkOf, type Proxies } from '@pillion/lib/network.ts';
import type { Context } from 'hono';
import { remoteAddress } from '../requests.ts';

/**
 * Tells who sends a request.
 * @param proxies Who may say whose request it is.
 */
export function createSenders(proxies: Proxies, log: Log) {
  let hasWarned = false;

  /** Says once that everybody is counted as the proxy. */
  function warnOfProxy(): void {
    if (hasWarned) return;
    hasWarned = true;
    log('warn', 'forwarded address ignored', {
      expected: 'TRUST_PROXY says which proxies to believe: limits count per visitor',
    });
  }

  const forwardedFor = (c: Context) => c.req.header('x-forwarded-for') ?? null;

  /** The network that limits are counted by. */
  function networkFor(c: Context): string {
    const forwarded = forwardedFor(c);
    const remote = remoteAddress(c);
    if (forwarded !== null && !proxies.isBelieved(remote)) warnOfProxy();
    return networkOf(proxies.visitorOf(remote, forwarded));
  }

  return {
    networkFor,
    /** The visitor's address, where the form keeps it; else an empty text. */
    addressFor: (c: Context, form: Form): string =>
      afterSending(form).keepsAddress ? (proxies.visitorOf(remoteAddress(c), forwardedFor(c)) ?? '') : '',
    /**
     * Knows a visitor without script again for a moment, as one may press a button twice.
     * @returns `null` for a program or script: one that sends the same again means it.
     */
    browserOf: (c: Context): string | null =>
      c.req.header('sec-fetch-mode') === 'navigate' ? `${networkFor(c)} ${c.req.header('user-agent') ?? ''}` : null,
  };
}

export type Senders = ReturnType<typeof createSenders>;
