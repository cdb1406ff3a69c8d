import { type ContentErrorKind, failure, type Result, success } from './result.ts';

export interface ClientOptions {
  /** WordPress' address, without a trailing slash. */
  baseUrl: string;
  /** Consumer key and secret, sent as Basic authorization with every call (R20). */
  key: string;
  secret: string;
  /** Deadline of one call in milliseconds, from sending it to the last byte. Default: 0, none (R27). */
  timeoutMs?: number;
  /** Size an answer may have once unpacked, in bytes; a larger one is not read on. Default: 2 MB. */
  maxBytes?: number;
}

export interface CallOptions {
  /** The caller's own: aborting it ends the call as `request aborted`. */
  signal?: AbortSignal;
  /** Instead of the client's. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  data: unknown;
}

/** Calls WordPress. Every call resolves with an answer or one of R27's six errors; none throws (R25). */
export interface Client {
  get: (path: string, options?: CallOptions) => Promise<Result<unknown>>;
  /** Sends JSON. A refusal in JSON (400 with what is wrong) is an answer too. */
  post: (path: string, body: unknown, options?: CallOptions) => Promise<Result<Answer>>;
  /** A file; the caller reads the body within its own limits. */
  file: (path: string, options?: CallOptions & { headers?: Record<string, string> }) => Promise<Result<Response>>;
  /** Ends every call under way as `cancelled`, and every later one. */
  close: () => void;
}

/** Names the path without its query: enough to find the call, nothing a visitor sent. */
const named = (path: string, what: string) => `${path.replace(/\?.*/, '')}: ${what}`;

/** Why a call stopped, when it was one of us who stopped it. */
const STOPPED = { timeout: 'no answer in time', cancelled: 'the site is shutting down' } as const;

interface Stop {
  signal: AbortSignal;
  /** Which of the signals it was; `null`: none, so the network. */
  why: () => ContentErrorKind | null;
}

/** Joins deadline, caller and shutdown into one signal that knows which of them it was. */
function stopping({ signal: own, timeoutMs }: CallOptions, closing: AbortSignal): Stop {
  const deadline = timeoutMs ? AbortSignal.timeout(timeoutMs) : null;
  const isTimeout = (signal: AbortSignal) => signal.aborted && signal.reason?.name === 'TimeoutError';
  return {
    signal: AbortSignal.any([closing, ...(own ? [own] : []), ...(deadline ? [deadline] : [])]),
    why: () => {
      if (closing.aborted) return 'cancelled';
      if (deadline?.aborted || (own && isTimeout(own))) return 'timeout';
      return own?.aborted ? 'request aborted' : null;
    },
  };
}

function stopped(error: unknown, path: string, why: ContentErrorKind | null) {
  if (why === 'timeout' || why === 'cancelled') return failure(why, named(path, STOPPED[why]));
  if (why !== null) return failure(why, named(path, 'given up by its caller'));
  // Node puts the reason (ECONNREFUSED, ENOTFOUND) into the cause; the message alone says "fetch failed".
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return failure('network error', named(path, cause?.code ?? message));
}

const isJson = (response: Response) =>
  /^application\/([\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');

/** Reads a body as far as the limit. @returns `null` where there is more. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null; // leaving the loop cancels the body
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): { data: unknown } | null {
  try {
    return { data: JSON.parse(text) };
  } catch {
    return null;
  }
}

export function createClient({ baseUrl, key, secret, timeoutMs = 0, maxBytes = 2_000_000 }: ClientOptions): Client {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const closing = new AbortController();

  /** Runs one call to its end; `read` takes what it needs of the response while the deadline still counts. */
  async function call<T>(
    path: string,
    init: RequestInit,
    options: CallOptions,
    read: (response: Response) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const { signal, why } = stopping({ timeoutMs, ...options }, closing.signal);
    try {
      const headers = { accept: 'application/json', ...(init.headers as Record<string, string>), authorization };
      // A redirect could lead anywhere, and the key with it: what answers with one is not WordPress' API.
      const response = await fetch(baseUrl + path, { ...init, headers, signal, redirect: 'manual' });
      const result = await read(response);
      if (!response.bodyUsed && !result.ok) await response.body?.cancel();
      return result;
    } catch (error) {
      return stopped(error, path, why());
    }
  }

  /** Reads JSON, whatever the status. */
  async function json(path: string, response: Response): Promise<Result<Answer>> {
    const { status } = response;
    const bad = (what: string) => failure('bad response', named(path, what), status);
    if (status >= 300 && status < 400) return bad('redirects, which are not followed');
    if (status >= 500) return bad(`status ${status}`);
    if (!isJson(response)) {
      const what = `answers ${response.headers.get('content-type') ?? 'no content type'} instead of JSON`;
      return status >= 400 ? failure('bad request', named(path, `status ${status}`), status) : bad(what);
    }
    const text = await readText(response, maxBytes);
    if (text === null) return bad(`is larger than ${maxBytes} bytes`);
    const parsed = parse(text);
    return parsed ? success({ status, data: parsed.data }) : bad('is not JSON');
  }

  return {
    get: (path, options = {}) =>
      call(path, {}, options, async (response) => {
        const answer = await json(path, response);
        if (!answer.ok) return answer;
        const { status, data } = answer.data;
        return status >= 400 ? failure('bad request', named(path, `status ${status}`), status) : success(data);
      }),
    post: (path, body, options = {}) => {
      const headers = { 'content-type': 'application/json' };
      return call(path, { method: 'POST', headers, body: JSON.stringify(body) }, options, (response) =>
        json(path, response),
      );
    },
    file: (path, { headers = {}, ...options } = {}) =>
      call(path, { headers: { accept: '*/*', ...headers } }, options, async (response) => {
        const { status } = response;
        if (status === 200 || status === 304) return success(response);
        const kind = status >= 400 && status < 500 ? 'bad request' : 'bad response';
        return failure(kind, named(path, `status ${status}`), status);
      }),
    close: () => closing.abort(),
  };
}
