import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { createTransport } from '@pillion/lib/http-transport.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import type { Context, Hono } from 'hono';
import { readBody } from '../body.ts';

interface Options {
  /** Path of the script on this site. */
  script: string;
  /** Base address of the analytics service, without a trailing slash. */
  upstream: string;
  /** Names of the endpoints, in the script's folder. */
  endpoints: string[];
  log: Log;
}

const TIMEOUT_MS = 5_000;

/** A page view has a few hundred bytes. */
const MAX_BODY_BYTES = 65_536;

/** Request headers for the service. Cookies, addresses and authorization are not forwarded. */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'user-agent',
];
/** Response headers for the visitor. The service cannot set cookies. */
const RESPONSE_HEADERS = ['cache-control', 'content-type', 'etag', 'last-modified'];

const pickHeaders = (names: string[], getValue: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, getValue(name) ?? '']).filter(([, value]) => value !== ''));

/** Media types of a script. Any other response is a page, such as a login. */
const SCRIPT_TYPE = /^(?:text|application)\/(?:x-)?javascript\b/i;

/** Media types of the responses to a script. Never HTML, which would be a page of this site. */
const ENDPOINT_TYPE = /^(?:application\/json|text\/plain)\b/i;

/** Media types of a page view. */
const REQUEST_TYPE = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)\b/i;

/**
 * Proxies the analytics script and its requests (R46), and nothing else of the service. Browsers see only this site, so
 * the Content Security Policy allows no other host.
 */
export function analyticsRoutes(app: Hono, { script, endpoints, upstream, log }: Options): void {
  const folder = script.slice(0, script.lastIndexOf('/') + 1);
  const transport = createTransport(upstream);
  const sparseLog = sparsely(log, (event) => event);

  /** @returns `null` if the service does not respond. */
  const forwardRequest = (c: Context, method: 'GET' | 'POST', body: Buffer = Buffer.alloc(0)) => {
    const { pathname, search } = new URL(c.req.url);
    const headers = pickHeaders(REQUEST_HEADERS, (name) => c.req.header(name));
    return transport
      .send(
        `/${pathname.slice(folder.length)}${search}`,
        { method, headers: { ...headers, 'content-length': String(body.length) }, body: [body] },
        AbortSignal.timeout(TIMEOUT_MS),
      )
      .catch((error: unknown) => {
        sparseLog('warn', 'analytics.unreachable', { error: error instanceof Error ? error.message : String(error) });
        return null;
      });
  };

  /** @param allowedType Media types that a response with a body may have. */
  const forwardResponse = (c: Context, upstreamResponse: IncomingMessage | null, allowedType: RegExp): Response => {
    if (!upstreamResponse) return c.text('Analytics cannot be reached.\n', 502, CACHE.never);
    const status = upstreamResponse.statusCode ?? 502;
    const headers = pickHeaders(RESPONSE_HEADERS, (name) => upstreamResponse.headers[name]?.toString());
    if (status === 200 && allowedType.test(headers['content-type'] ?? ''))
      return new Response(Readable.toWeb(upstreamResponse) as ReadableStream<Uint8Array>, { status, headers });
    if (status === 204 || status === 304) {
      upstreamResponse.resume();
      return new Response(null, { status, headers });
    }
    upstreamResponse.destroy();
    // Any other response keeps at most its error status, without the body.
    if (status >= 200 && status < 300) return new Response(null, { status: 204, headers: CACHE.never });
    return new Response(null, { status: status >= 400 ? status : 502, headers: CACHE.never });
  };

  app.get(script, async (c) => {
    const upstreamResponse = await forwardRequest(c, 'GET');
    const type = upstreamResponse?.headers['content-type'];
    if (upstreamResponse?.statusCode === 200 && !SCRIPT_TYPE.test(type ?? '')) {
      upstreamResponse.destroy();
      sparseLog('warn', 'analytics.no-script', { type: type ?? null });
      return new Response(null, { status: 502, headers: CACHE.never });
    }
    return forwardResponse(c, upstreamResponse, SCRIPT_TYPE);
  });
  for (const name of endpoints)
    app.post(`${folder}${name}`, async (c) => {
      const type = c.req.header('content-type');
      if (type !== undefined && !REQUEST_TYPE.test(type)) return c.text('This content type is not accepted.\n', 415);
      const report = await readBody(c, MAX_BODY_BYTES);
      if (report === null) return c.text('The report is too large.\n', 413);
      return forwardResponse(c, await forwardRequest(c, 'POST', report), ENDPOINT_TYPE);
    });
  // Other paths of the service are not public.
  app.all(`${folder}*`, (c) => c.text('No such endpoint.\n', 404, CACHE.never));
}
