import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createTransport, type Request, readText } from '@pillion/lib/http-transport.ts';
import { requestHeaders } from '@pillion/lib/request-id.ts';
import { PREFIXES } from './endpoints.ts';
import { type ContentErrorKind, failure, type Result, success } from './result.ts';

export interface ClientOptions {
  /** WordPress' address, without a trailing slash. */
  baseUrl: string;
  /** Consumer key and secret, sent as Basic authorization with every call (R20). */
  key: string;
  secret: string;
  /** Timeout of one call in milliseconds, from sending to the last byte. Default: 0, no timeout (R27). */
  timeoutMs?: number;
  /** Largest response, in bytes; a larger one is an error. Default: 2 MB. */
  maxBytes?: number;
  /** Called at the end of every call. */
  onCalled?: (path: string, outcome: ContentErrorKind | 'ok') => void;
}

export interface CallOptions {
  /** The caller's signal: aborting it ends the call as `request aborted`. */
  signal?: AbortSignal;
  /** Replaces the client's timeout. */
  timeoutMs?: number;
  maxBytes?: number;
  /** Additional headers. */
  headers?: Record<string, string>;
}

export interface JsonResponse {
  status: number;
  data: unknown;
  /** The unchanged header. */
  retryAfter: string | null;
}

/** JSON, or the answer that it has not changed. */
export interface Conditional {
  /** `undefined`: not changed since the response with the given tag. */
  data: unknown;
  etag: string | null;
}

/** A response of any type and status. */
export interface AnyResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty if the response is over the limit. */
  text: string;
  /** Parsed if it is JSON. */
  data: unknown;
}

/** A file that is being downloaded. The caller must read `body` to its end or call `cancel`. */
export interface Download {
  /** 200, or 304 if the caller's headers requested it. */
  status: number;
  headers: IncomingHttpHeaders;
  /** Rejects if the connection breaks or the call times out. */
  body: AsyncIterable<Uint8Array>;
  cancel: () => void;
}

/** Calls WordPress. Every call resolves with a response or one of the six errors of R27; none throws (R25). */
export interface Client {
  get: (path: string, options?: CallOptions) => Promise<Result<unknown>>;
  /** As `get`, but only if it has changed. @param etag Of an earlier response; `null`: in any case. */
  getChanged: (path: string, etag: string | null, options?: CallOptions) => Promise<Result<Conditional>>;
  /** Sends JSON, or an `Encoded` body. JSON with status 4xx is a success too: it says what is wrong. */
  post: (path: string, body: unknown, options?: CallOptions) => Promise<Result<JsonResponse>>;
  /** A file, by its path from the root of WordPress' host. The caller limits the size of the body. */
  file: (path: string, options?: CallOptions) => Promise<Result<Download>>;
  /**
   * Any response, including errors and HTML pages, for diagnosis.
   * @param options `isKeyless`: sends no authorization, like an unknown client.
   */
  fetchAny: (path: string, options?: CallOptions & { isKeyless?: boolean }) => Promise<Result<AnyResponse>>;
  /**
   * Whether WordPress' web server accepts a `POST` of this size. It decides by the headers (`Expect`, RFC 9110, 10.1.1),
   * so the body is not sent. Servers that ignore `Expect` accept every size.
   * @returns False only if the server refuses it with 413.
   */
  accepts: (path: string, bytes: number, options: { timeoutMs: number }) => Promise<boolean>;
  /** Ends all current and later calls as `cancelled`. */
  close: () => void;
}

/** Message with the path, without the query, which may contain a visitor's input. */
const describeCall = (path: string, problem: string) => `${path.replace(/\?.*/, '')}: ${problem}`;

/** Kinds of errors by which a signal ends a call, with their messages. */
const STOP_MESSAGES = {
  timeout: 'no answer in time',
  cancelled: 'the site is shutting down',
  'request aborted': 'cancelled by its caller',
} as const satisfies Partial<Record<ContentErrorKind, string>>;

interface StopSignal {
  signal: AbortSignal;
  /** Which signal stopped the call; `null`: no signal, so the network failed. */
  reason: () => keyof typeof STOP_MESSAGES | null;
}

/** Combines timeout, caller and shutdown in one signal that knows which of them stopped the call. */
function createStopSignal({ signal: callerSignal, timeoutMs }: CallOptions, closing: AbortSignal): StopSignal {
  const deadline = timeoutMs ? AbortSignal.timeout(timeoutMs) : null;
  const isTimeout = (signal: AbortSignal) => signal.aborted && signal.reason?.name === 'TimeoutError';
  return {
    signal: AbortSignal.any([closing, ...(callerSignal ? [callerSignal] : []), ...(deadline ? [deadline] : [])]),
    reason: () => {
      if (closing.aborted) return 'cancelled';
      if (deadline?.aborted || (callerSignal && isTimeout(callerSignal))) return 'timeout';
      return callerSignal?.aborted ? 'request aborted' : null;
    },
  };
}

function failureOf(error: unknown, path: string, reason: ReturnType<StopSignal['reason']>) {
  if (reason !== null) return failure(reason, describeCall(path, STOP_MESSAGES[reason]));
  const { code, message } = error as NodeJS.ErrnoException;
  return failure('network error', describeCall(path, code ?? message));
}

const isJson = ({ headers }: IncomingMessage) =>
  /^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');

/** @returns `null` if the text is not JSON. The value is wrapped, because `null` is valid JSON. */
function parseJson(text: string): { data: unknown } | null {
  try {
    return { data: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** A body of another type than JSON. */
export class Encoded {
  readonly type: string;
  readonly chunks: Uint8Array[];
  constructor(type: string, chunks: Uint8Array[]) {
    this.type = type;
    this.chunks = chunks;
  }
}

const encode = (data: unknown) =>
  data instanceof Encoded ? data : new Encoded('application/json', [Buffer.from(JSON.stringify(data))]);

interface Outgoing extends Request {
  isKeyless?: boolean;
}

/** Reads JSON with any status. */
async function readJson(path: string, response: IncomingMessage, maxBytes: number): Promise<Result<JsonResponse>> {
  const { statusCode: status = 0, headers } = response;
  const retryAfter = headers['retry-after'] ?? null;
  const fail = (problem: string, kind: ContentErrorKind = 'bad response') => {
    const { error } = failure(kind, describeCall(path, problem), status);
    return { ok: false as const, error: retryAfter === null ? error : { ...error, retryAfter } };
  };
  if (status >= 300 && status < 400) return fail('redirects, and redirects are not followed');
  if (status >= 500) return fail(`status ${status}`);
  if (!isJson(response)) {
    const problem = `answers ${headers['content-type'] ?? 'no content type'} instead of JSON`;
    return status >= 400 ? fail(`status ${status}`, 'bad request') : fail(problem);
  }
  const text = await readText(response, maxBytes);
  if (text === null) return fail(`is larger than ${maxBytes} bytes`);
  const parsed = parseJson(text);
  return parsed ? success({ status, data: parsed.data, retryAfter }) : fail('is not JSON');
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, key, secret, timeoutMs = 0, maxBytes: defaultMaxBytes = 2_000_000, onCalled = () => {} } = options;
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const closing = new AbortController();
  const transport = createTransport(baseUrl);

  /** Runs one call. `read` reads the response within the call's timeout. */
  async function call<T>(
    path: string,
    outgoing: Outgoing,
    options: CallOptions,
    read: (response: IncomingMessage) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    // Files are counted under one path, because their own paths depend on WordPress' folder.
    const reportedPath = outgoing.isFromRoot ? PREFIXES.uploads : path;
    const { signal, reason } = createStopSignal({ timeoutMs, ...options }, closing.signal);
    try {
      signal.throwIfAborted();
      const headers = {
        accept: 'application/json',
        ...outgoing.headers,
        ...(!outgoing.isKeyless && { authorization }),
      };
      const response = await transport.send(path, { ...outgoing, headers }, signal);
      const result = await read(response);
      if (!result.ok) response.destroy();
      onCalled(reportedPath, result.ok ? 'ok' : result.error.kind);
      return result;
    } catch (error) {
      const failed = failureOf(error, path, reason());
      onCalled(reportedPath, failed.error.kind);
      return failed;
    }
  }

  const getChanged: Client['getChanged'] = (path, knownEtag, options = {}) => {
    // Reads carry the id and the trace of the visitor's request. Deliveries carry only the sign-up's id.
    const condition = knownEtag !== null && { 'if-none-match': knownEtag };
    const headers = { ...requestHeaders(), ...options.headers, ...condition };
    return call(path, { method: 'GET', headers }, options, async (response) => {
      const { etag = null } = response.headers;
      if (knownEtag !== null && response.statusCode === 304) {
        response.resume();
        return success({ data: undefined, etag });
      }
      const result = await readJson(path, response, options.maxBytes ?? defaultMaxBytes);
      if (!result.ok) return result;
      const { status, data } = result.data;
      return status >= 400
        ? failure('bad request', describeCall(path, `status ${status}`), status)
        : success({ data, etag });
    });
  };

  return {
    getChanged,
    async get(path, options) {
      const result = await getChanged(path, null, options);
      return result.ok ? success(result.data.data) : result;
    },
    post: (path, data, { headers: more = {}, ...options } = {}) => {
      const { type, chunks } = encode(data);
      const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const headers = { ...more, 'content-type': type, 'content-length': String(length) };
      return call(path, { method: 'POST', headers, body: chunks }, options, (response) =>
        readJson(path, response, defaultMaxBytes),
      );
    },
    file: (path, { headers: more = {}, ...options } = {}) =>
      call(
        path,
        { method: 'GET', headers: { accept: '*/*', ...more }, isFromRoot: true },
        options,
        async (response) => {
          const { statusCode: status = 0, headers } = response;
          if (status === 200 || status === 304)
            return success({ status, headers, body: response, cancel: () => response.destroy() });
          const kind = status >= 400 && status < 500 ? 'bad request' : 'bad response';
          return failure(kind, describeCall(path, `status ${status}`), status);
        },
      ),
    fetchAny: (path, { isKeyless = false, ...options } = {}) =>
      call(path, { method: 'GET', headers: {}, isKeyless }, options, async (response) => {
        const text = (await readText(response, options.maxBytes ?? defaultMaxBytes)) ?? '';
        const data = isJson(response) ? parseJson(text)?.data : undefined;
        return success({ status: response.statusCode ?? 0, headers: response.headers, text, data });
      }),
    accepts: (path, bytes, options) => {
      const headers = { expect: '100-continue', 'content-length': String(bytes) };
      const { signal } = createStopSignal(options, closing.signal);
      return transport.announce(path, headers, signal).then(
        (status) => status !== 413,
        () => true,
      );
    },
    close: () => {
      closing.abort();
      transport.close();
    },
  };
}
