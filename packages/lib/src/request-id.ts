import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** Bytes of a generated id, as in a trace id, so that it can be used as one. */
const ID_BYTES = 16;

/** Valid ids from a proxy: no characters that could form an address or a line break. */
const SANE = /^[\w-]{8,64}$/;

/** W3C Trace Context: version, trace, parent, flags. */
const TRACE = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

/** `tracestate` of W3C Trace Context: printable characters, at least 512 of which must be passed on. */
const TRACE_STATE = /^[\x20-\x7e]{1,512}$/;

/** What the calls of a request carry. */
interface Carried {
  id: string;
  /** The proxy's `traceparent` and `tracestate`, if it sent them. */
  trace: Record<string, string>;
}

const current = new AsyncLocalStorage<Carried>();

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

/**
 * The trace that a request belongs to, for its requests to WordPress. The server adds no span, so the headers are
 * passed on unchanged.
 * @param isTrusted As in `requestIdFor`: visitors must not choose which requests WordPress records.
 */
export function traceFor(header: (name: string) => unknown, isTrusted: boolean): Record<string, string> {
  const traceparent = isTrusted ? header('traceparent') : undefined;
  if (typeof traceparent !== 'string' || !TRACE.test(traceparent)) return {};
  const tracestate = header('tracestate');
  return { traceparent, ...(typeof tracestate === 'string' && TRACE_STATE.test(tracestate) && { tracestate }) };
}

/** Runs `work` with the request's id and trace, including everything that it starts. */
export const withRequestId = <T>(id: string, trace: Record<string, string>, work: () => T): T =>
  current.run({ id, trace }, work);

/** Runs `work` without a request id, because it may serve several requests. */
export const ofNoRequest = <T>(work: () => T): T => current.exit(work);

/** @returns The id of the current request; `undefined` outside of a request. */
export const requestId = (): string | undefined => current.getStore()?.id;

/** Headers for the calls of the current request: its id and trace. Empty outside of a request. */
export function requestHeaders(): Record<string, string> {
  const carried = current.getStore();
  return carried ? { 'x-request-id': carried.id, ...carried.trace } : {};
}
