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
  /** Who serves it, without a trailing slash. */
  upstream: string;
  /** What the script sends to, as names beside it. */
  endpoints: string[];
  log: Log;
}

/** A visitor waits for none of this, but sockets are not held for ever: in milliseconds. */
const TIMEOUT_MS = 5_000;

/** A page view is a few hundred bytes. */
const LONGEST_BODY = 65_536;

/** What the service needs to know; cookies, addresses and authorization of ours stay here. */
const SENT = ['accept', 'accept-language', 'content-type', 'if-modified-since', 'if-none-match', 'user-agent'];
/** What the visitor gets back; no cookie is set in our name. */
const RETURNED = ['cache-control', 'content-type', 'etag', 'last-modified'];

const kept = (names: string[], from: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, from(name) ?? '']).filter(([, value]) => value !== ''));

/** What a script is called; anything else in its place is a page: a login, a notice. */
const SCRIPT_TYPE = /^(?:text|application)\/(?:x-)?javascript\b/i;

/** What a script may be told in return. Never a page: it would be one of ours. */
const TOLD_TYPE = /^(?:application\/json|text\/plain)\b/i;

/** What a page view is sent as. */
const SENT_TYPE = /^(?:application\/json|text\/plain|application\/x-www-form-urlencoded)\b/i;

/**
 * Passes on the analytics script and what it sends (R46), and nothing else of its service. To a browser it is all of this
 * site, so no other host is let in.
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
    // What it says besides is for whoever runs it. A refusal keeps its number, without the words.
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
      if (type !== undefined && !SENT_TYPE.test(type)) return c.text('A page view is no such thing.\n', 415);
      const told = await readBody(c, LONGEST_BODY);
      if (told === null) return c.text('Too much for a page view.\n', 413);
      return answer(c, await send(c, 'POST', told), TOLD_TYPE);
    });
  // What else lies in that folder upstream is nobody's business here.
  app.all(`${folder}*`, (c) => c.text('Nothing here takes that.\n', 404, CACHE.never));
}

const ask = (url: string, options: RequestOptions, body: Buffer | null) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const outgoing = request(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
