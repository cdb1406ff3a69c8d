import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** Bytes of a generated id, as in a trace id, so that it can be used as one. */
const ID_BYTES = 16;

/** Valid ids from a proxy: no characters that could form an address or a line break. */
const VALID_ID = /^[\w-]{8,64}$/;

/** W3C Trace Context: version, trace, parent, flags. */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

/** `tracestate` of W3C Trace Context: printable characters, at least 512 of which must be passed on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** What the calls of a request carry. */
interface RequestContext {
  id: string;
  /** The proxy's `traceparent` and `tracestate`, if it sent them. */
  trace: Record<string, string>;
}

const currentContext = new AsyncLocalStorage<RequestContext>();

/** Random bytes for many ids: generating them per id takes longer than sending a cached page. */
const pool = Buffer.alloc(256 * ID_BYTES);
let hexDigits = '';
let usedDigits = 0;

function generateId(): string {
  if (usedDigits === hexDigits.length) {
    hexDigits = randomFillSync(pool).toString('hex');
    usedDigits = 0;
  }
  usedDigits += 2 * ID_BYTES;
  return hexDigits.slice(usedDigits - 2 * ID_BYTES, usedDigits);
}

/**
 * The id of a request, for its response, the log and its requests to WordPress.
 * @param header Returns a header of the request.
 * @param isTrusted Whether the request comes from a trusted proxy. Visitors must not choose what the log contains.
 */
export function requestIdFor(header: (name: string) => unknown, isTrusted: boolean): string {
  if (!isTrusted) return generateId();
  const given = header('x-request-id');
  if (typeof given === 'string' && VALID_ID.test(given)) return given;
  const trace = header('traceparent');
  return (typeof trace === 'string' && TRACEPARENT.exec(trace)?.[1]) || generateId();
}

/**
 * The trace that a request belongs to, for its requests to WordPress. The server adds no span, so the headers are
 * passed on unchanged.
 * @param isTrusted As in `requestIdFor`: visitors must not choose which requests WordPress records.
 */
export function traceFor(header: (name: string) => unknown, isTrusted: boolean): Record<string, string> {
  const traceparent = isTrusted ? header('traceparent') : undefined;
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return {};
  const tracestate = header('tracestate');
  return { traceparent, ...(typeof tracestate === 'string' && TRACESTATE.test(tracestate) && { tracestate }) };
}

/** Runs `work` with the request's id and trace, including everything that it starts. */
export const withRequestId = <T>(id: string, trace: Record<string, string>, work: () => T): T =>
  currentContext.run({ id, trace }, work);

/** Runs `work` without a request id, because it may serve several requests. */
export const withoutRequestId = <T>(work: () => T): T => currentContext.exit(work);

/** @returns The id of the current request; `undefined` outside of a request. */
export const requestId = (): string | undefined => currentContext.getStore()?.id;

/** Headers for the calls of the current request: its id and trace. Empty outside of a request. */
export function requestHeaders(): Record<string, string> {
  const context = currentContext.getStore();
  return context ? { 'x-request-id': context.id, ...context.trace } : {};
}
