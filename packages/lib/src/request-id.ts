import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** Bytes of a generated id, as in a trace id, so that it can be used as one. */
const ID_BYTES = 16;

/** Valid ids from a proxy: no characters that could form an address or a line break. */
const SANE = /^[\w-]{8,64}$/;

/** W3C Trace Context: version, trace, parent, flags. */
const TRACE = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

const current = new AsyncLocalStorage<string>();

/** Random bytes for many ids: generating them per id takes longer than sending a cached page. */
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
 * The id of a request, for its response, the log and its requests to WordPress.
 * @param header Returns a header of the request.
 * @param isTrusted Whether the request comes from a trusted proxy. Visitors must not choose what the log contains.
 */
export function requestIdFor(header: (name: string) => unknown, isTrusted: boolean): string {
  if (!isTrusted) return ownId();
  const given = header('x-request-id');
  if (typeof given === 'string' && SANE.test(given)) return given;
  const trace = header('traceparent');
  return (typeof trace === 'string' && TRACE.exec(trace)?.[1]) || ownId();
}

/** Runs `work` with the request's id, including everything that it starts. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work);

/** Runs `work` without a request id, because it may serve several requests. */
export const ofNoRequest = <T>(work: () => T): T => current.exit(work);

/** @returns The id of the current request; `undefined` outside of a request. */
export const requestId = (): string | undefined => current.getStore();
