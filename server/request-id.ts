import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Bytes of an id of our own: those of a trace, so that it can stand for one. */
const ID_BYTES = 16;

/** An id that whoever stands in front has given: letters and digits, nothing that could be an address or break a line. */
const SANE = /^[\w-]{8,64}$/;

/** W3C Trace Context: version, trace, parent, flags. */
const TRACE = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

const current = new AsyncLocalStorage<string>();

/**
 * The id one request is known by in its answer, in the log and in its calls to WordPress.
 * @param isTrusted Whether what stands in front may give one: visitors must not choose what stands in the log.
 */
export function requestIdFor(headers: Headers, isTrusted: boolean): string {
  const given = isTrusted ? headers.get('x-request-id') : null;
  if (given && SANE.test(given)) return given;
  const trace = isTrusted ? TRACE.exec(headers.get('traceparent') ?? '')?.[1] : undefined;
  return trace ?? randomBytes(ID_BYTES).toString('hex');
}

/** Everything that `work` does, and causes, belongs to the request. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work);

/** What goes on for others once a request has set it off. */
export const ofNoRequest = <T>(work: () => T): T => current.exit(work);

/** @returns The id of the request that is answered now; `undefined` outside of one. */
export const requestId = (): string | undefined => current.getStore();
