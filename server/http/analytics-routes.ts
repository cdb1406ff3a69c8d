import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Log } from '../log.ts';

interface Options {
  /** Path of the script on this site. */
  script: string;
  /** Who serves it, without a trailing slash. */
  upstream: string;
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

/**
 * Passes on what lies beside the analytics script: the script itself, and what it sends (R46). To a browser it is all
 * of this site, so no other host is let in.
 */
export function analyticsRoutes(app: Hono, { script, upstream, log }: Options): void {
  const folder = script.slice(0, script.lastIndexOf('/') + 1);

  const pass = async (c: Context): Promise<Response> => {
    const { pathname, search } = new URL(c.req.url);
    const body = c.req.method === 'POST' ? Buffer.from(await c.req.arrayBuffer()) : null;
    const url = `${upstream}/${pathname.slice(folder.length)}${search}`;
    const headers = kept(SENT, (name) => c.req.header(name));
    try {
      const answer = await ask(
        url,
        { method: c.req.method, headers: { ...headers, 'content-length': body?.length ?? 0 } },
        body,
      );
      const status = answer.statusCode ?? 502;
      return new Response(
        status === 204 || status === 304 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>),
        { status, headers: kept(RETURNED, (name) => answer.headers[name]?.toString()) },
      );
    } catch (error) {
      log('warn', 'analytics.unreachable', { error: error instanceof Error ? error.message : String(error) });
      return c.text('Analytics cannot be reached.\n', 502, { 'cache-control': 'no-store' });
    }
  };

  app.get(`${folder}*`, pass);
  app.post(
    `${folder}*`,
    bodyLimit({ maxSize: LONGEST_BODY, onError: (c) => c.text('Too much for a page view.\n', 413) }),
    pass,
  );
}

const ask = (url: string, options: RequestOptions, body: Buffer | null) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const outgoing = request(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
