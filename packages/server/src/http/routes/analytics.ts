import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { CACHE } from '@pillion/lib/cache-control.ts';
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

/** Timeout of the analytics service, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** In bytes. A page view has a few hundred. */
const LONGEST_BODY = 65_536;

/** Request headers for the service. Cookies, addresses and authorization are not forwarded. */
const SENT = ['accept', 'accept-language', 'content-type', 'if-modified-since', 'if-none-match', 'user-agent'];
/** Response headers for the visitor. The service cannot set cookies. */
const RETURNED = ['cache-control', 'content-type', 'etag', 'last-modified'];

const kept = (names: string[], from: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, from(name) ?? '']).filter(([, value]) => value !== ''));

/** Media types of a script. Any other response is a page, such as a login. */
const SCRIPT_TYPE = /^(?:text|application)\/(?:x-)?javascript\b/i;

/** Media types of the responses to a script. Never HTML, which would be a page of this site. */
const REPORT_TYPE = /^(?:application\/json|text\/plain)\b/i;

/** Media types of a page view. */
const SENT_TYPE = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)\b/i;

/**
 * Proxies the analytics script and its requests (R46), and nothing else of the service. Browsers see only this site, so
 * the Content Security Policy allows no other host.
 */
export function analyticsRoutes(app: Hono, { script, endpoints, upstream, log }: Options): void {
  const folder = script.slice(0, script.lastIndexOf('/') + 1);
  const sparseLog = sparsely(log, (event) => event);

  const send = (c: Context, method: 'GET' | 'POST', body: Buffer | null) => {
    const { pathname, search } = new URL(c.req.url);
    const url = `${upstream}/${pathname.slice(folder.length)}${search}`;
    const headers = kept(SENT, (name) => c.req.header(name));
    return ask(url, { method, headers: { ...headers, 'content-length': body?.length ?? 0 } }, body).catch(
      (error: unknown) => {
        sparseLog('warn', 'analytics.unreachable', { error: error instanceof Error ? error.message : String(error) });
        return null;
      },
    );
  };

  const answer = (c: Context, from: IncomingMessage | null, type: RegExp): Response => {
    if (!from) return c.text('Analytics cannot be reached.\n', 502, CACHE.never);
    const status = from.statusCode ?? 502;
    const headers = kept(RETURNED, (name) => from.headers[name]?.toString());
    const isEmpty = status === 204 || status === 304;
    if (isEmpty || (status === 200 && type.test(headers['content-type'] ?? ''))) {
      if (isEmpty) from.resume();
      return new Response(isEmpty ? null : (Readable.toWeb(from) as ReadableStream<Uint8Array>), { status, headers });
    }
    from.destroy();
    // Any other response keeps at most its error status, without the body.
    if (status >= 200 && status < 300) return new Response(null, { status: 204, headers: CACHE.never });
    return new Response(null, { status: status >= 400 ? status : 502, headers: CACHE.never });
  };

  app.get(script, async (c) => {
    const from = await send(c, 'GET', null);
    if (from?.statusCode === 200 && !SCRIPT_TYPE.test(from.headers['content-type'] ?? '')) {
      from.destroy();
      sparseLog('warn', 'analytics.no-script', { type: from.headers['content-type'] ?? null });
      return new Response(null, { status: 502, headers: CACHE.never });
    }
    return answer(c, from, SCRIPT_TYPE);
  });
  for (const name of endpoints)
    app.post(`${folder}${name}`, async (c) => {
      const type = c.req.header('content-type');
      if (type !== undefined && !SENT_TYPE.test(type)) return c.text('This content type is not accepted.\n', 415);
      const report = await readBody(c, LONGEST_BODY);
      if (report === null) return c.text('The report is too large.\n', 413);
      return answer(c, await send(c, 'POST', report), REPORT_TYPE);
    });
  // Other paths of the service are not public.
  app.all(`${folder}*`, (c) => c.text('No such endpoint.\n', 404, CACHE.never));
}

const ask = (url: string, options: RequestOptions, body: Buffer | null) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const outgoing = request(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
