import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Content } from '@pillion/content/content.ts';
import { EMPTY_HEAD } from '@pillion/content/pages/page-head.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import { languageNamed } from '@pillion/content/wordpress/languages.ts';
import { hasTag } from '@pillion/lib/entity-tag.ts';
import { withoutRequestId } from '@pillion/lib/request-id.ts';
import type { Tagging } from '../cdn/tags.ts';
import { type RouteKind, routeKindOf } from '../metrics/metrics.ts';
import { type RenderOptions, signUpStepOf } from './document.tsx';
import { chooseEncoding, compress, compressBest, type Encoding } from './encoding.ts';
import type { Format, Pages, PathResponse, Redirect } from './page-responses.ts';
import { type CacheHit, type CacheStatus, RenderCache, type RenderResult } from './render-cache.ts';
import { compressResponse, isCacheable, type PreparedResponse, toBody } from './responses.ts';

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
  compressed: Record<'br' | 'gzip', Uint8Array | null>;
  /** Weak, as all encodings share it (RFC 9110, 8.8.1). */
  etag: string;
  /** The route that the metrics count. */
  route: RouteKind;
  /** Whether other paths share its bytes, so that they count only once. */
  isShared: boolean;
  /** How often it was sent in Brotli, up to `FREQUENT_COUNT`. */
  brotliCount: number;
  /** Headers as `writeHead` takes them, by encoding, cache status and whether the response is a 304. */
  rawHeaders: Map<string, string[]>;
}

interface PageCacheRequest {
  kind: Kind;
  /** The path, or the language of the shell. */
  subject: string;
  /** The request's query, from `?` on. Only a redirect keeps it. */
  search?: string;
}

/** A sent response, for the metrics. */
interface SentResponse {
  status: number;
  route: RouteKind;
}

export interface PageCacheOptions {
  content: Content;
  pages: Pages;
  render: RenderOptions;
  /** Sent with every response. */
  headers: Record<string, string>;
  /** Names the tags by which a CDN purges a response. */
  tags: Tagging;
}

/** Name of this cache in `Cache-Status` (RFC 9211). */
const CACHE_NAME = 'Pillion';

const CACHE_STATUS_HEADERS: Record<CacheStatus, string> = {
  hit: `${CACHE_NAME}; hit`,
  // A negative lifetime marks the response as stale (RFC 9211, 2.4).
  stale: `${CACHE_NAME}; hit; ttl=-1`,
  miss: `${CACHE_NAME}; fwd=miss; stored`,
  collapsed: `${CACHE_NAME}; fwd=miss; collapsed`,
};

/** A page that is sent this often in Brotli is compressed again, at the highest level. */
const FREQUENT_COUNT = 2;

const keyOf = (kind: Kind, subject: string) => `${kind} ${subject}`;
const parseKey = (key: string) => {
  const space = key.indexOf(' ');
  return [key.slice(0, space) as Kind, key.slice(space + 1)] as const;
};

/** Paths that are never cached: searches, since there is no limit to their queries, and previews, which show drafts. */
const UNCACHEABLE_PATH = /^\/(?:(?:[a-z]{2,3}(?:-[a-z\d]+)*\/)?search\/?$|preview(?:\/|$))/i;

const sizeOf = ({ plain, compressed, isShared }: CachedResponse) =>
  isShared ? 0 : plain.length + (compressed.br?.length ?? 0) + (compressed.gzip?.length ?? 0);

/** Replaces the requested path with `/404` or `/410`, so that one document serves all missing paths. */
const withoutPath = (page: Page): Page => ({
  ...page,
  path: `/${page.status}`,
  meta: { ...page.meta, canonical: `/${page.status}` },
});

/** Whether two shells are equal. Content is never changed in place, so only different objects have to be serialised. */
function areShellsEqual(one: ShellContent, other: ShellContent): boolean {
  const names = Object.keys(one) as (keyof ShellContent)[];
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === other[name] || JSON.stringify(one[name]) === JSON.stringify(other[name]))
  );
}

/** The shared document of all missing paths of one status and language, valid while `shell` and `signUpStep` stay equal. */
interface MissingDocument {
  shell: ShellContent;
  /** The number of sign-ups in the document. */
  signUpStep: number | null;
  document: Promise<CachedResponse>;
}

/**
 * Cache of responses that `Pages` renders: pages, their JSON, the shell, redirects and missing pages. An entry is valid
 * until content that it was rendered from changes (decision 036).
 */
export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #cache: RenderCache<CachedResponse, PathResponse>;
  /** By status and language. */
  readonly #missingDocuments = new Map<string, MissingDocument>();
  /** Part of every ETag: another build or other headers make browsers fetch a response again. */
  readonly #salt: string;

  constructor(options: PageCacheOptions) {
    const { content, render, headers } = options;
    this.#options = options;
    this.#salt = JSON.stringify([render.assets.build, headers]);
    this.#cache = new RenderCache({
      render: (key, previous) => this.#renderKey(key, previous),
      bytesOf: sizeOf,
      isUnbounded: ({ status }) => status !== 200,
      generation: content.generation,
      changeCount: content.changeCount,
    });
  }

  figures = () => this.#cache.figures();

  /**
   * Responds to a request that comes through the router. Concurrent requests for one key share one rendering.
   * @returns The response. If it cannot be cached: the resolved path, or `null` if the caller has to resolve it.
   */
  async respond(
    request: Request,
    { kind, subject, search = '' }: PageCacheRequest,
  ): Promise<Response | PathResponse | null> {
    if (UNCACHEABLE_PATH.test(subject)) return null;
    const key = keyOf(kind, subject);
    const found = await this.#cache.get(key);
    if (found.value === null) return found.uncacheable;
    const { value: cached, cacheStatus } = found;
    if (cached.location !== null && search.length > 1) {
      const to = { status: cached.status as Redirect['status'], location: cached.location };
      return compressResponse(request, this.#options.pages.prepareRedirect(formatOf(kind), to, search));
    }
    const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '', cached.plain.length);
    if (isUnchangedFor(request.headers.get('if-none-match'), cached))
      return new Response(null, { status: 304, headers: responseHeaders(cached, encoding, cacheStatus, null) });
    const body = await this.#compressBody(key, cached, encoding, request.signal);
    this.#countSent(key, cached, encoding);
    return new Response(toBody(body), {
      status: cached.status,
      headers: responseHeaders(cached, encoding, cacheStatus, body.length),
    });
  }

  /**
   * Sends a cached response without the router.
   * @param makeId Makes the request's id. It is called only if this method responds.
   * @returns The sent response; `null` if the router has to handle the request.
   */
  send(req: IncomingMessage, res: ServerResponse, makeId: () => string): SentResponse | null {
    const found = this.#findResponse(req);
    if (!found) return null;
    const { key, value: cached, cacheStatus } = found;
    const encoding = chooseEncoding(String(req.headers['accept-encoding'] ?? ''), cached.plain.length);
    const body = bodyIn(cached, encoding);
    // Not compressed yet: `respond` does that, without blocking.
    if (!body) return null;
    this.#cache.count(cacheStatus);
    this.#countSent(key, cached, encoding);
    const isUnchanged = isUnchangedFor(req.headers['if-none-match'] ?? null, cached);
    const status = isUnchanged ? 304 : cached.status;
    const rawHeaders = this.#rawHeaders(cached, encoding, cacheStatus, isUnchanged ? null : body.length);
    res.writeHead(status, [...rawHeaders, 'x-request-id', makeId()]);
    if (isUnchanged || req.method === 'HEAD') res.end();
    else res.end(body);
    return { status, route: cached.route };
  }

  /** Headers as `writeHead` takes them, made once per variant. @param length As in `responseHeaders`. */
  #rawHeaders(cached: CachedResponse, encoding: Encoding, cacheStatus: CacheStatus, length: number | null): string[] {
    // Without the length: `#recompress` clears these headers when the body changes.
    const variant = `${encoding} ${cacheStatus} ${length === null}`;
    const existing = cached.rawHeaders.get(variant);
    if (existing) return existing;
    const headers = { ...this.#options.headers, ...responseHeaders(cached, encoding, cacheStatus, length) };
    const rawHeaders = Object.entries(headers).flat();
    cached.rawHeaders.set(variant, rawHeaders);
    return rawHeaders;
  }

  /** @returns The cached response to a request; `null` if the router has to handle it. */
  #findResponse(req: IncomingMessage): (CacheHit<CachedResponse> & { key: string }) | null {
    const { method, url = '', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !PLAIN_HOST.test(headers.host ?? '')) return null;
    const key = keyFromUrl(url, (tag) => languageNamed(this.#options.content.knownLanguages(), tag).tag);
    if (key === null) return null;
    const found = this.#cache.find(key);
    if (!found) return null;
    // The router appends the request's query to the target of a redirect.
    const needsQuery = found.value.location !== null && url.includes('?') && !key.startsWith('data ');
    return needsQuery ? null : { key, ...found };
  }

  /** Renders the response for a key. Searches and errors are not cached; missing pages share one document. */
  async #renderKey(key: string, previous: CachedResponse | null): Promise<RenderResult<CachedResponse, PathResponse>> {
    const { pages } = this.#options;
    const [kind, subject] = parseKey(key);
    if (kind === 'shell')
      return {
        cacheable: this.#toCached(await pages.prepareShell(subject), previous, { route: 'shell' }),
        uncacheable: null,
      };
    const resolved = await pages.resolve(subject);
    const { response } = resolved;
    const format = formatOf(kind);
    const route = routeKindOf(format === 'data' ? '/api/page' : subject);
    if ('page' in response) {
      // A key has no query, so this search has the wrong results.
      if (response.page.search) return { cacheable: null, uncacheable: null };
      if (!isCacheable(response.status)) return { cacheable: null, uncacheable: resolved };
      if (format === 'document' && response.status !== 200)
        return {
          cacheable: { ...(await this.#missingDocument(response.page, resolved.shell)), route },
          uncacheable: null,
        };
    }
    const location = 'location' in response ? response.location : null;
    return {
      cacheable: this.#toCached(await pages.prepareResponse(format, resolved), previous, { location, route }),
      uncacheable: null,
    };
  }

  /**
   * Renders and compresses one document per status and language for all missing paths, since there is no limit to
   * their number. Renders again when the shell or the number of sign-ups in it changes.
   * @throws Errors of rendering.
   */
  #missingDocument(page: Page, shell: ShellContent): Promise<CachedResponse> {
    const key = `${page.status} ${page.lang}`;
    const signUpStep = signUpStepOf(shell, this.#options.render);
    const existing = this.#missingDocuments.get(key);
    if (existing?.signUpStep === signUpStep && areShellsEqual(existing.shell, shell)) return existing.document;
    const response = { status: page.status, page: withoutPath(page) };
    const document = this.#options.pages
      .prepareResponse('document', { response, head: EMPTY_HEAD, shell })
      .then((prepared) => this.#toCached(prepared, null, { route: 'page', isShared: true }));
    this.#missingDocuments.set(key, { shell, signUpStep, document });
    document.catch(() => this.#missingDocuments.delete(key));
    return document;
  }

  /** @param previous Returned if the new response is equal to it. */
  #toCached(
    { status, headers, text }: PreparedResponse,
    previous: CachedResponse | null,
    details: Pick<CachedResponse, 'route'> & Partial<CachedResponse>,
  ): CachedResponse {
    const plain = Buffer.from(text);
    // Rendering has ended, so all reads are recorded.
    const allHeaders = { ...headers, ...this.#options.tags.headersOfReads() };
    const digest = createHash('sha256')
      .update(this.#salt)
      .update(JSON.stringify([status, allHeaders]))
      .update(plain)
      .digest('base64url');
    const etag = `W/"${digest.slice(0, 22)}"`;
    // The bytes are equal, so the compressed bodies stay valid.
    if (previous?.etag === etag) return previous;
    const initial = { location: null, compressed: { br: null, gzip: null }, isShared: false, brotliCount: 0 };
    return { ...initial, rawHeaders: new Map(), status, headers: allHeaders, plain, etag, ...details };
  }

  /** Compresses the body for this request and caches the result. */
  async #compressBody(
    key: string,
    cached: CachedResponse,
    encoding: Encoding,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const existing = bodyIn(cached, encoding);
    if (existing) return existing;
    // While this request waits in the queue, another one may compress the body.
    const findCompressed = () => bodyIn(cached, encoding);
    const body = await compress(cached.plain, encoding, signal, findCompressed);
    if (encoding !== 'identity' && cached.compressed[encoding] === null) {
      cached.compressed[encoding] = body;
      this.#cache.updateSize(key, cached);
    }
    return body;
  }

  /** Counts a response and compresses a frequent page again, as work of no request. */
  #countSent(key: string, cached: CachedResponse, encoding: Encoding): void {
    if (encoding !== 'br' || cached.brotliCount >= FREQUENT_COUNT) return;
    cached.brotliCount += 1;
    if (cached.brotliCount === FREQUENT_COUNT && cached.status === 200)
      withoutRequestId(() => void this.#recompress(key, cached));
  }

  /** Replaces the Brotli body by a smaller one, if the key still has this response when its turn comes. */
  async #recompress(key: string, cached: CachedResponse): Promise<void> {
    const smaller = await compressBest(cached.plain, () => this.#cache.holds(key, cached)).catch(() => null);
    if (!smaller || smaller.length >= (cached.compressed.br?.length ?? Number.POSITIVE_INFINITY)) return;
    cached.compressed.br = smaller;
    cached.rawHeaders.clear();
    this.#cache.updateSize(key, cached);
  }
}

export const formatOf = (kind: Kind): Format => (kind === 'data' ? 'data' : 'document');

/** Whether the client has this response. @param tags Its `If-None-Match`. */
const isUnchangedFor = (tags: string | null, { status, etag }: CachedResponse) => status === 200 && hasTag(tags, etag);

/** @param length Of the body; `null` for a 304, whose headers do not describe a body (RFC 9110, 15.4.5). */
function responseHeaders(
  { headers, plain, etag }: CachedResponse,
  encoding: Encoding,
  cacheStatus: CacheStatus,
  length: number | null,
): Record<string, string> {
  const allHeaders: Record<string, string> = {
    ...headers,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    ...(plain.length === 0 ? {} : { etag }),
    'cache-status': CACHE_STATUS_HEADERS[cacheStatus],
    'server-timing': `cache;desc=${cacheStatus}`,
  };
  if (length !== null) return { ...allHeaders, 'content-length': String(length) };
  const { 'content-type': _, 'content-encoding': __, ...unchanged } = allHeaders;
  return unchanged;
}

/** @returns `null` if the body has not been compressed yet. */
const bodyIn = ({ plain, compressed }: CachedResponse, encoding: Encoding): Uint8Array | null =>
  encoding === 'identity' ? plain : compressed[encoding];

/** A host that needs no URL parser. The router handles requests with any other. */
const PLAIN_HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Addresses as browsers send them. The router reads all other forms. */
const DATA_URL = /^\/api\/page\?path=([\w/%.~-]+)(?:&lang=[\w-]*)?$/;
const SHELL_URL = /^\/api\/shell(?:\?lang=([\w-]*))?$/;

/**
 * @param url As the client sent it.
 * @param toLanguage Returns the language for the tag in the query.
 * @returns The cache key; `null` for a path that the router has to decode.
 */
function keyFromUrl(url: string, toLanguage: (tag: string | undefined) => string): string | null {
  if (!url.startsWith('/api/')) {
    const query = url.indexOf('?');
    return keyOf('document', query < 0 ? url : url.slice(0, query));
  }
  const encodedPath = DATA_URL.exec(url)?.[1];
  const shell = encodedPath === undefined ? SHELL_URL.exec(url) : null;
  if (shell) return keyOf('shell', toLanguage(shell[1]));
  if (encodedPath === undefined) return null;
  try {
    const path = decodeURIComponent(encodedPath);
    return /[?#]/.test(path) ? null : keyOf('data', path);
  } catch {
    return null;
  }
}
