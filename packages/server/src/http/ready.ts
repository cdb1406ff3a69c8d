import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Content } from '@pillion/content/content.ts';
import { EMPTY_HEAD } from '@pillion/content/pages/page-head.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import { languageNamed } from '@pillion/content/wordpress/languages.ts';
import { hasTag } from '@pillion/lib/entity-tag.ts';
import { ofNoRequest } from '@pillion/lib/request-id.ts';
import type { Tagging } from '../cdn/tags.ts';
import { type RouteKind, routeKindOf } from '../metrics/metrics.ts';
import { type RenderOptions, signUpStepOf } from './document.tsx';
import { compress, compressBest, type Encoding, encodingOf } from './encoding.ts';
import type { Format, Pages, PathResponse } from './page-responses.ts';
import { type CacheStatus, type Found, type Made, ReadyPages } from './ready-pages.ts';
import { bytesOf, isKept, type PreparedResponse, packed } from './responses.ts';

/**
 * Kind of response: a page as a document or as JSON, or the shell. `passed-on`: a document under a path that another
 * route handles first, such as `/metrics`. The router decides about each such request.
 */
export type Kind = 'document' | 'passed-on' | 'data' | 'shell';

/** A cached response as bytes, the same for all clients. */
interface CachedResponse extends Omit<PreparedResponse, 'text'> {
  /** Target of a redirect. The redirect keeps the request's query, so a request with a query gets its own response. */
  location: string | null;
  /** The uncompressed body. */
  plain: Buffer;
  packed: Record<'br' | 'gzip', Uint8Array | null>;
  /** Weak, as all encodings share it (RFC 9110, 8.8.1). */
  etag: string;
  /** The route that the metrics count. */
  route: RouteKind;
  /** Whether other paths share its bytes, so that they count only once. */
  isShared: boolean;
  /** How often it was sent in Brotli, up to `OFTEN`. */
  sent: number;
  /** Headers as `writeHead` takes them, by encoding, cache status and whether the response is a 304. */
  heads: Map<string, string[]>;
}

interface Asked {
  kind: Kind;
  /** The path, or the language of the shell. */
  rest: string;
  /** The request's query, from `?` on. Only a redirect keeps it. */
  search?: string;
}

/** A sent response, for the metrics. */
interface Sent {
  status: number;
  route: RouteKind;
}

export interface ReadyOptions {
  content: Content;
  pages: Pages;
  render: RenderOptions;
  /** Sent with every response. */
  headers: Record<string, string>;
  /** Names the tags by which a CDN purges a response. */
  tags: Tagging;
}

/** Name of this cache in `Cache-Status` (RFC 9211). */
const NAME = 'Pillion';

const STATUS_OF: Record<CacheStatus, string> = {
  hit: `${NAME}; hit`,
  // A negative lifetime marks the response as stale (RFC 9211, 2.4).
  stale: `${NAME}; hit; ttl=-1`,
  miss: `${NAME}; fwd=miss; stored`,
  collapsed: `${NAME}; fwd=miss; collapsed`,
};

/** A response that is sent this often in Brotli is compressed again, at the highest level. */
const OFTEN = 2;

const keyOf = (kind: Kind, rest: string) => `${kind} ${rest}`;

/** Paths that are never cached: searches, since there is no limit to their queries, and previews, which show drafts. */
const NEVER = /^\/(?:(?:[a-z]{2,3}(?:-[a-z\d]+)*\/)?search\/?$|preview(?:\/|$))/i;

const bytesIn = ({ plain, packed, isShared }: CachedResponse) =>
  isShared ? 0 : plain.length + (packed.br?.length ?? 0) + (packed.gzip?.length ?? 0);

/** Replaces the requested path with `/404` or `/410`, so that one document serves all missing paths. */
const withoutPath = (page: Page): Page => ({
  ...page,
  path: `/${page.status}`,
  meta: { ...page.meta, canonical: `/${page.status}` },
});

/** Whether two shells are equal. Content is never changed in place, so only different objects have to be serialised. */
function isAlike(one: ShellContent, other: ShellContent): boolean {
  const names = Object.keys(one) as (keyof ShellContent)[];
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === other[name] || JSON.stringify(one[name]) === JSON.stringify(other[name]))
  );
}

/** The shared document of all missing paths of one status and language, valid while `shell` and `step` stay equal. */
interface Missing {
  shell: ShellContent;
  /** The number of sign-ups in the document. */
  step: number | null;
  document: Promise<CachedResponse>;
}

/**
 * Cache of responses that `Pages` renders: pages, their JSON, the shell, redirects and missing pages. An entry is valid
 * until content that it was rendered from changes (decision 036).
 */
export class Ready {
  readonly #options: ReadyOptions;
  readonly #cache: ReadyPages<CachedResponse, PathResponse>;
  /** By status and language. */
  readonly #missing = new Map<string, Missing>();
  /** Part of every ETag: another build or other headers make browsers fetch a response again. */
  readonly #salt: string;

  constructor(options: ReadyOptions) {
    const { content, render, headers } = options;
    this.#options = options;
    this.#salt = JSON.stringify([render.assets.build, headers]);
    this.#cache = new ReadyPages({
      make: (key, last) => this.#make(key, last),
      bytesOf: bytesIn,
      isEndless: ({ status }) => status !== 200,
      generation: content.generation,
      changeCount: content.changeCount,
    });
  }

  figures = () => this.#cache.figures();

  /**
   * Responds to a request that comes through the router. Concurrent requests for one key share one rendering.
   * @returns The resolved path, if its response cannot be cached; `null` if the caller has to resolve the path.
   */
  async respond(request: Request, { kind, rest, search = '' }: Asked): Promise<Response | PathResponse | null> {
    if (NEVER.test(rest)) return null;
    const key = keyOf(kind, rest);
    const found = await this.#cache.get(key);
    if (found.value === null) return found.passing;
    const { value: answer, cacheStatus } = found;
    // The redirect keeps the request's query, so it is made for this request alone.
    if (answer.location !== null && search.length > 1) {
      const to = { status: answer.status as 301 | 302, location: answer.location };
      return packed(request, this.#options.pages.redirect(formatOf(kind), to, search));
    }
    const encoding = encodingOf(request.headers.get('accept-encoding') ?? '', answer.plain.length);
    if (isKnownBy(request.headers.get('if-none-match'), answer))
      return new Response(null, { status: 304, headers: headersOf(answer, encoding, cacheStatus, null) });
    const body = await this.#packedBody(key, answer, encoding, request.signal);
    this.#noteSent(key, answer, encoding);
    return new Response(body.length === 0 ? null : bytesOf(body), {
      status: answer.status,
      headers: headersOf(answer, encoding, cacheStatus, body.length),
    });
  }

  /**
   * Sends a cached response without the router.
   * @param id Makes the request's id. It is called only if this method responds.
   * @returns The sent response; `null` if the router has to handle the request.
   */
  send(req: IncomingMessage, res: ServerResponse, id: () => string): Sent | null {
    const looked = this.#look(req);
    if (!looked) return null;
    const { key, found } = looked;
    const { value: answer, cacheStatus } = found;
    const encoding = encodingOf(String(req.headers['accept-encoding'] ?? ''), answer.plain.length);
    const body = bodyOf(answer, encoding);
    // Not compressed yet: `respond` does that, without blocking.
    if (!body) return null;
    this.#cache.count(cacheStatus);
    this.#noteSent(key, answer, encoding);
    const isKnown = isKnownBy(req.headers['if-none-match'] ?? null, answer);
    const status = isKnown ? 304 : answer.status;
    const head = this.#headFor(answer, encoding, cacheStatus, isKnown ? null : body.length);
    res.writeHead(status, [...head, 'x-request-id', id()]);
    if (isKnown || req.method === 'HEAD') res.end();
    else res.end(body);
    return { status, route: answer.route };
  }

  /** Headers as `writeHead` takes them, made once per variant. @param length As in `headersOf`. */
  #headFor(answer: CachedResponse, encoding: Encoding, cacheStatus: CacheStatus, length: number | null): string[] {
    // Without the length: `#improve` clears the heads when the body changes.
    const variant = `${encoding} ${cacheStatus} ${length === null}`;
    const cached = answer.heads.get(variant);
    if (cached) return cached;
    const headers = { ...this.#options.headers, ...headersOf(answer, encoding, cacheStatus, length) };
    const head = Object.entries(headers).flat();
    answer.heads.set(variant, head);
    return head;
  }

  /** @returns The cached response to a request; `null` if the router has to handle it. */
  #look(req: IncomingMessage): { key: string; found: Found<CachedResponse> } | null {
    const { method, url = '', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !isHost(headers.host)) return null;
    const key = keyIn(url, (tag) => languageNamed(this.#options.content.knownLanguages(), tag).tag);
    const found = key === null ? null : this.#cache.find(key);
    if (key === null || !found) return null;
    // The router appends the request's query to the target of a redirect.
    const needsQuery = found.value.location !== null && url.includes('?') && !key.startsWith('data ');
    return needsQuery ? null : { key, found };
  }

  async #make(key: string, last: CachedResponse | null): Promise<Made<CachedResponse, PathResponse>> {
    const { pages } = this.#options;
    const cut = key.indexOf(' ');
    const [kind, rest] = [key.slice(0, cut) as Kind, key.slice(cut + 1)];
    if (kind === 'shell') return { kept: this.#keep(await pages.shell(rest), last, { route: 'shell' }), passing: null };
    const resolved = await pages.resolve(rest);
    const { response } = resolved;
    const format = formatOf(kind);
    const route = routeKindOf(format === 'data' ? '/api/page' : rest);
    if ('page' in response) {
      // A key has no query, so this search has the wrong results.
      if (response.page.search) return { kept: null, passing: null };
      if (!isKept(response.status)) return { kept: null, passing: resolved };
      if (format === 'document' && response.status !== 200)
        return { kept: { ...(await this.#missingDocument(response.page, resolved.shell)), route }, passing: null };
    }
    const location = 'location' in response ? response.location : null;
    return { kept: this.#keep(await pages.answer(format, resolved), last, { location, route }), passing: null };
  }

  /**
   * Renders and compresses one document for all missing paths, since there is no limit to their number.
   * @throws Errors of rendering.
   */
  #missingDocument(page: Page, shell: ShellContent): Promise<CachedResponse> {
    const key = `${page.status} ${page.lang}`;
    const step = signUpStepOf(shell, this.#options.render);
    const known = this.#missing.get(key);
    if (known?.step === step && isAlike(known.shell, shell)) return known.document;
    const response = { status: page.status, page: withoutPath(page) };
    const document = this.#options.pages
      .answer('document', { response, head: EMPTY_HEAD, shell })
      .then((answer) => this.#keep(answer, null, { route: 'page', isShared: true }));
    this.#missing.set(key, { shell, step, document });
    document.catch(() => this.#missing.delete(key));
    return document;
  }

  #keep(
    { status, headers, text }: PreparedResponse,
    last: CachedResponse | null,
    more: Pick<CachedResponse, 'route'> & Partial<CachedResponse>,
  ): CachedResponse {
    const plain = Buffer.from(text);
    // Rendering has ended, so all reads are recorded.
    const own = { ...headers, ...this.#options.tags.ofReads() };
    const sum = createHash('sha256')
      .update(this.#salt)
      .update(JSON.stringify([status, own]))
      .update(plain)
      .digest('base64url');
    const etag = `W/"${sum.slice(0, 22)}"`;
    // The bytes are equal, so the compressed bodies stay valid.
    if (last?.etag === etag) return last;
    const rest = { location: null, packed: { br: null, gzip: null }, isShared: false, sent: 0 };
    return { ...rest, heads: new Map(), status, headers: own, plain, etag, ...more };
  }

  /** Compresses the body for this request and caches the result. */
  async #packedBody(key: string, answer: CachedResponse, encoding: Encoding, gone: AbortSignal): Promise<Uint8Array> {
    const known = bodyOf(answer, encoding);
    if (known) return known;
    const body = await compress(answer.plain, encoding, gone, () => bodyOf(answer, encoding));
    if (encoding !== 'identity' && answer.packed[encoding] === null) {
      answer.packed[encoding] = body;
      this.#cache.weigh(key, answer);
    }
    return body;
  }

  #noteSent(key: string, answer: CachedResponse, encoding: Encoding): void {
    if (encoding !== 'br' || answer.sent >= OFTEN) return;
    answer.sent += 1;
    if (answer.sent === OFTEN && answer.status === 200) ofNoRequest(() => void this.#improve(key, answer));
  }

  async #improve(key: string, answer: CachedResponse): Promise<void> {
    const best = await compressBest(answer.plain, () => this.#cache.holds(key, answer)).catch(() => null);
    if (!best || best.length >= (answer.packed.br?.length ?? Number.POSITIVE_INFINITY)) return;
    answer.packed.br = best;
    answer.heads.clear();
    this.#cache.weigh(key, answer);
  }
}

export const formatOf = (kind: Kind): Format => (kind === 'data' ? 'data' : 'document');

/** Whether the client has this response. @param tags Its `If-None-Match`. */
const isKnownBy = (tags: string | null, { status, etag }: CachedResponse) => status === 200 && hasTag(tags, etag);

/** @param length Of the body; `null` for a 304, whose headers do not describe a body (RFC 9110, 15.4.5). */
function headersOf(
  { headers, plain, etag }: CachedResponse,
  encoding: Encoding,
  cacheStatus: CacheStatus,
  length: number | null,
): Record<string, string> {
  const said: Record<string, string> = {
    ...headers,
    ...(encoding === 'identity' || plain.length === 0 ? {} : { 'content-encoding': encoding }),
    ...(plain.length === 0 ? {} : { etag }),
    'cache-status': STATUS_OF[cacheStatus],
    'server-timing': `cache;desc=${cacheStatus}`,
  };
  if (length !== null) return { ...said, 'content-length': String(length) };
  const { 'content-type': _, 'content-encoding': __, ...unchanged } = said;
  return unchanged;
}

const bodyOf = (answer: CachedResponse, encoding: Encoding): Uint8Array | null =>
  encoding === 'identity' || answer.plain.length === 0 ? answer.plain : answer.packed[encoding];

/** A host that needs no URL parser. The router handles requests with any other. */
const PLAIN_HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
let lastHost = '';

function isHost(host: string | undefined): boolean {
  if (host === lastHost) return lastHost !== '';
  if (host === undefined || !PLAIN_HOST.test(host)) return false;
  lastHost = host;
  return true;
}

/** Addresses as browsers send them. The router reads all other forms. */
const DATA = /^\/api\/page\?path=([\w/%.~-]+)(?:&lang=[\w-]*)?$/;
const SHELL = /^\/api\/shell(?:\?lang=([\w-]*))?$/;

/**
 * @param url As the client sent it.
 * @param langNamed Returns the language for the tag in the query.
 * @returns The cache key; `null` for a path that the router has to decode.
 */
function keyIn(url: string, langNamed: (tag: string | undefined) => string): string | null {
  if (!url.startsWith('/api/')) {
    const query = url.indexOf('?');
    return keyOf('document', query < 0 ? url : url.slice(0, query));
  }
  const path = DATA.exec(url)?.[1];
  const shell = path === undefined ? SHELL.exec(url) : null;
  if (shell) return keyOf('shell', langNamed(shell[1]));
  if (path === undefined) return null;
  try {
    const asked = decodeURIComponent(path);
    return /[?#]/.test(asked) ? null : keyOf('data', asked);
  } catch {
    return null;
  }
}
