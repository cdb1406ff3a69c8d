import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** Bytes of an id of our own: those of a trace, so that it can stand for one. */
const ID_BYTES = 16;

/** What an id of a proxy may look like: letters and digits, nothing that could be an address or break a line. */
const SANE = /^[\w-]{8,64}$/;

/** W3C Trace Context: version, trace, parent, flags. */
const TRACE = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

const current = new AsyncLocalStorage<string>();

/** Drawn and written for many ids at once: for each alone it takes longer than sending a page that is ready. */
const pool = Buffer.alloc(256 * ID_BYTES);
let digits = '';
let drawn = 0;

function ownId(): string {
  if (drawn === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    drawn = 0;
  }
  drawn += 2 * ID_BYTES;
  return digits.slice(drawn - 2 * ID_BYTES, drawn);
}

/**
 * The id of a request: in its response, in the log and in its calls to WordPress.
 * @param header Tells the request's headers.
 * @param isTrusted Whether a trusted proxy may give one. Visitors must not choose what is written to the log.
 */
export function requestIdFor(header: (name: string) => unknown, isTrusted: boolean): string {
  if (!isTrusted) return ownId();
  const given = header('x-request-id');
  if (typeof given === 'string' && SANE.test(given)) return given;
  const trace = header('traceparent');
  return (typeof trace === 'string' && TRACE.exec(trace)?.[1]) || ownId();
}

/** Runs `work`; everything it causes carries the request's id. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work);

/** Runs `work` for no request: what one has begun may go on for others. */
export const ofNoRequest = <T>(work: () => T): T => current.exit(work);

/** @returns The id of the request that runs now; `undefined` outside of one. */
export const requestId = (): string | undefined => current.getStore();
