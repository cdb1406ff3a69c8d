import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Content } from '@pillion/content/content.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import { languageNamed } from '@pillion/content/wordpress/languages.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { hasTag } from '@pillion/lib/entity-tag.ts';
import { ofNoRequest } from '@pillion/lib/request-id.ts';
import type { Tagging } from '../cdn/tags.ts';
import { type RouteKind, routeKindOf } from '../metrics/metrics.ts';
import { NO_VARY_SEARCH } from './campaign-parameters.ts';
import { shellAnswerOf } from './document.ts';
import { compress, compressBest, type Encoding, encodingOf } from './encoding.ts';
import { type PathResponse, resolvePath, withQuery } from './page-responses.ts';
import { type Found, ReadyPages, type Way } from './ready-pages.ts';
import { type RenderOptions, renderPage, signUpStepOf } from './render.tsx';
import { bytesOf, documentHeaders, isKept, jsonHeaders, jsonResponse, redirectResponse } from './responses.ts';

/**
 * Kind of response: a page as a document or as JSON, or the shell. `passed-on`: a document under a path that another route
 * handles first, as `/metrics`. The router decides about each request before it is sent.
 */
export type Kind = 'document' | 'passed-on' | 'data' | 'shell';

/** An answer as bytes, the same for everybody who asks for it. */
interface Answer {
  status: number;
  /** Beside those of the encoding. */
  headers: Record<string, string>;
  /** Where the path leads elsewhere. A query that was asked with goes along, so it is not for all who ask. */
  location: string | null;
  /** Its bytes as they are. */
  plain: Buffer;
  packed: Record<'br' | 'gzip', Uint8Array | null>;
  /** The same for all encodings, hence weak (RFC 9110, 8.8.1). */
  etag: string;
  /** What is counted for it. */
  route: RouteKind;
  /** Whether its bytes are those of other paths too, which count them already. */
  isShared: boolean;
  /** How often it was sent in Brotli. What is sent twice is worth compressing well. */
  sent: number;
  /** Headers as `writeHead` takes them, by encoding and way. */
  heads: Map<string, string[]>;
}

interface Asked {
  kind: Kind;
  /** The path, or the language of the shell. */
  rest: string;
  /** The query that was asked with, from `?` on. It goes along where a path leads elsewhere, and means nothing to a page. */
  search?: string;
}

/** What was sent, as it is counted. */
interface Sent {
  status: number;
  route: RouteKind;
}

export interface ReadyOptions {
  content: Content;
  render: RenderOptions;
  /** Sent with every answer. */
  headers: Record<string, string>;
  /** Says by what a CDN may purge an answer. */
  tags: Tagging;
  /** Most bytes kept, in all and of what is not there. Default: as in `ReadyPages`. */
  maxBytes?: number;
  maxEndlessBytes?: number;
}

/** The name this cache has in `Cache-Status` (RFC 9211). */
const NAME = 'Pillion';

const STATUS_OF: Record<Way, string> = {
  hit: `${NAME}; hit`,
  // A lifetime below nought says that it is stale (RFC 9211, 2.4).
  stale: `${NAME}; hit; ttl=-1`,
  miss: `${NAME}; fwd=miss; stored`,
  collapsed: `${NAME}; fwd=miss; collapsed`,
};

/** An answer that is sent so often is compressed as well as it goes. */
const OFTEN = 2;

const keyOf = (kind: Kind, rest: string) => `${kind} ${rest}`;

/** Results of a search are endless, in whatever language, and a preview is a draft. */
const NEVER = /^\/(?:(?:[a-z]{2,3}(?:-[a-z\d]+)*\/)?search\/?$|preview(?:\/|$))/i;

const bytesIn = ({ plain, packed, isShared }: Answer) =>
  isShared ? 0 : plain.length + (packed.br?.length ?? 0) + (packed.gzip?.length ?? 0);

/** A document that says nothing of the path it was asked under: `/404` and `/410` stand for all of them. */
const withoutPath = (page: Page): Page => ({
  ...page,
  path: `/${page.status}`,
  meta: { ...page.meta, canonical: `/${page.status}` },
});

/**
 * Whether two shells say the same. Content is never changed in place: what is the same object need not be written out,
 * which would make a text of some kilobytes for each path that leads nowhere.
 */
function isAlike(one: ShellContent, other: ShellContent): boolean {
  const names = Object.keys(one) as (keyof ShellContent)[];
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === other[name] || JSON.stringify(one[name]) === JSON.stringify(other[name]))
  );
}

/**
 * Answers that are ready: pages, their JSON, the shell, redirects and pages that are not there, as bytes that are sent again
 * while all the content they were made of is still what it was (decision 036).
 */
export function createReady({ content, render, headers, tags, ...bounds }: ReadyOptions) {
  const { build } = render.assets;
  /** Another build, or another setting of this one, is another answer, though a browser may hold the last. */
  const salt = JSON.stringify([build, headers]);

  const pages = new ReadyPages<Answer, PathResponse>({
    make,
    bytesOf: bytesIn,
    isEndless: ({ status }) => status !== 200,
    generation: content.generation,
    told: content.told,
    ...bounds,
  });

  function answerOf(
    status: number,
    headers: Record<string, string>,
    text: string,
    last: Answer | null,
    more: Pick<Answer, 'route'> & Partial<Answer>,
  ): Answer {
    const plain = Buffer.from(text);
    // All that it was made of has been read.
    const own = { ...headers, ...tags.ofReads() };
    const sum = createHash('sha256')
      .update(salt)
      .update(JSON.stringify([status, own]))
      .update(plain)
      .digest('base64url');
    const etag = `W/"${sum.slice(0, 22)}"`;
    // The same bytes: what was compressed of them stays.
    if (last?.etag === etag) return last;
    const rest = { location: null, packed: { br: null, gzip: null }, isShared: false, sent: 0 };
    return { ...rest, heads: new Map(), status, headers: own, plain, etag, ...more };
  }

  /** By status and language, with the texts, menus and number of sign-ups that they were rendered with. */
  const missing = new Map<string, { shell: ShellContent; step: number | null; document: Promise<Answer> }>();

  /**
   * Paths that lead nowhere are endless, and their documents are alike: one is rendered and compressed for all of them.
   * @throws What rendering throws.
   */
  function missingDocument(page: Page, shell: ShellContent): Promise<Answer> {
    const key = `${page.status} ${page.lang}`;
    const step = signUpStepOf(shell, render);
    const known = missing.get(key);
    if (known?.step === step && isAlike(known.shell, shell)) return known.document;
    const document = renderPage(withoutPath(page), shell, render).then((html) =>
      answerOf(page.status, headersOfPage(page), html, null, { route: 'page', isShared: true }),
    );
    missing.set(key, { shell, step, document });
    document.catch(() => missing.delete(key));
    return document;
  }

  async function make(key: string, last: Answer | null) {
    const cut = key.indexOf(' ');
    const [kind, rest] = [key.slice(0, cut), key.slice(cut + 1)];
    if (kind === 'shell') {
      const text = JSON.stringify(shellAnswerOf(await content.shell(rest)));
      return { kept: answerOf(200, jsonOf(200), text, last, { route: 'shell' }), passing: null };
    }
    const resolved = await resolvePath(content, rest);
    const { response, shell, head } = resolved;
    const route = routeKindOf(kind === 'data' ? '/api/page' : rest);
    if ('location' in response) {
      const { status, location } = response;
      const kept =
        kind === 'data'
          ? answerOf(status, jsonOf(status), JSON.stringify(response), last, { location, route })
          : answerOf(status, { location, ...CACHE.page }, '', last, { location, route });
      return { kept, passing: null };
    }
    // A search was made without the query that it is of.
    if (response.page.search) return { kept: null, passing: null };
    if (!isKept(response.status)) return { kept: null, passing: resolved };
    if (kind === 'data') {
      const text = JSON.stringify(response);
      return { kept: answerOf(response.status, jsonOf(response.status), text, last, { route }), passing: null };
    }
    if (response.status !== 200) {
      const document = await missingDocument(response.page, shell);
      return { kept: { ...document, route }, passing: null };
    }
    const text = await renderPage(response.page, shell, render, head);
    return { kept: answerOf(response.status, headersOfPage(response.page), text, last, { route }), passing: null };
  }

  const headersOfPage = (page: Page) => ({ ...documentHeaders(page), 'no-vary-search': NO_VARY_SEARCH });

  const jsonOf = (status: number) => ({ ...jsonHeaders(status), 'pillion-build': build });

  const isTagged = ({ status }: Answer) => status === 200;

  /** Everything an answer says of itself, for one encoding and one way to it. */
  function headersOf(answer: Answer, encoding: Encoding, way: Way): Record<string, string> {
    return {
      ...answer.headers,
      ...(encoding === 'identity' || answer.plain.length === 0 ? {} : { 'content-encoding': encoding }),
      ...(answer.plain.length === 0 ? {} : { etag: answer.etag }),
      'cache-status': STATUS_OF[way],
      'server-timing': `cache;desc=${way}`,
    };
  }

  const bodyOf = (answer: Answer, encoding: Encoding): Uint8Array | null =>
    encoding === 'identity' || answer.plain.length === 0 ? answer.plain : answer.packed[encoding];

  /** Compresses in the name of whoever asks, and keeps what came of it. */
  async function packedBody(key: string, answer: Answer, encoding: Encoding, gone: AbortSignal): Promise<Uint8Array> {
    const known = bodyOf(answer, encoding);
    if (known) return known;
    const body = await compress(answer.plain, encoding, gone, () => bodyOf(answer, encoding));
    if (encoding !== 'identity' && answer.packed[encoding] === null) {
      answer.packed[encoding] = body;
      pages.weigh(key, answer);
    }
    return body;
  }

  function noteSent(key: string, answer: Answer, encoding: Encoding): void {
    if (encoding !== 'br' || answer.sent >= OFTEN) return;
    answer.sent += 1;
    if (answer.sent === OFTEN && answer.status === 200) ofNoRequest(() => void improve(key, answer));
  }

  async function improve(key: string, answer: Answer): Promise<void> {
    const best = await compressBest(answer.plain, () => pages.holds(key, answer)).catch(() => null);
    if (!best || best.length >= (answer.packed.br?.length ?? Number.POSITIVE_INFINITY)) return;
    answer.packed.br = best;
    answer.heads.clear();
    pages.weigh(key, answer);
  }

  /**
   * Answers through the router. A response that is not ready is rendered once for all requests that wait for it.
   * @returns What the path leads to, if no response can be cached; `null` if this request has to find out.
   */
  async function respond(
    request: Request,
    { kind, rest, search = '' }: Asked,
  ): Promise<Response | PathResponse | null> {
    if (NEVER.test(rest)) return null;
    const key = keyOf(kind, rest);
    const found = await pages.get(key);
    if (found.value === null) return found.passing;
    const { value: answer, way } = found;
    if (answer.location !== null && search.length > 1)
      return led(request, kind, answer.status, answer.location, search);
    const encoding = encodingOf(request.headers.get('accept-encoding') ?? '', answer.plain.length);
    const isKnown = isTagged(answer) && hasTag(request.headers.get('if-none-match'), answer.etag);
    const said = headersOf(answer, encoding, way);
    if (isKnown) return new Response(null, { status: 304, headers: unchanged(said) });
    const body = await packedBody(key, answer, encoding, request.signal);
    noteSent(key, answer, encoding);
    const length = { 'content-length': String(body.length) };
    return new Response(body.length === 0 ? null : bytesOf(body), {
      status: answer.status,
      headers: { ...said, ...length },
    });
  }

  /** A redirect with a query that was asked with: nobody else's. */
  function led(request: Request, kind: Kind, status: number, location: string, search: string) {
    const target = { status: status as 301 | 302, location: withQuery(location, search) };
    return kind === 'data'
      ? jsonResponse(request, target, status, { 'pillion-build': build })
      : redirectResponse(target);
  }

  const langNamed = (tag: string | undefined) => languageNamed(content.knownLanguages(), tag).tag;

  /** Asks for what is ready in a request as Node has it. @returns `null` where the router has to be asked. */
  function look(req: IncomingMessage): { key: string; found: Found<Answer> } | null {
    const key =
      (req.method === 'GET' || req.method === 'HEAD') && isHost(req.headers.host)
        ? keyIn(req.url ?? '', langNamed)
        : null;
    const found = key === null ? null : pages.find(key);
    if (key === null || !found) return null;
    return found.value.location !== null && req.url?.includes('?') && !key.startsWith('data ') ? null : { key, found };
  }

  /**
   * Sends what is ready, before the router and at the speed of a bare server.
   * @param id The request's, made when it is known to be answered here.
   * @returns What was sent; `null` where the router has to be asked.
   */
  function send(req: IncomingMessage, res: ServerResponse, id: () => string): Sent | null {
    const looked = look(req);
    if (!looked) return null;
    const { key, found } = looked;
    const { value: answer, way } = found;
    const encoding = encodingOf(String(req.headers['accept-encoding'] ?? ''), answer.plain.length);
    const body = bodyOf(answer, encoding);
    if (!body) return null;
    pages.count(way);
    noteSent(key, answer, encoding);
    const tag = req.headers['if-none-match'];
    const isKnown = tag !== undefined && isTagged(answer) && hasTag(tag, answer.etag);
    const status = isKnown ? 304 : answer.status;
    const name = `${encoding} ${way} ${isKnown}`;
    let head = answer.heads.get(name);
    if (!head) {
      const all = { ...headers, ...headersOf(answer, encoding, way) };
      const said = isKnown ? unchanged(all) : { ...all, 'content-length': String(body.length) };
      head = Object.entries(said).flat();
      answer.heads.set(name, head);
    }
    res.writeHead(status, [...head, 'x-request-id', id()]);
    if (isKnown || req.method === 'HEAD') res.end();
    else res.end(body);
    return { status, route: answer.route };
  }

  return {
    respond,
    send,
    figures: () => pages.figures(),
  };
}

export type Ready = ReturnType<typeof createReady>;

/** A 304 has what a cache would store anew, and nothing that describes a body (RFC 9110, 15.4.5). */
function unchanged(said: Record<string, string>): Record<string, string> {
  const { 'content-type': _, 'content-encoding': __, 'content-length': ___, ...rest } = said;
  return rest;
}

/** A host that any reader of addresses takes: what it makes of others only the router knows. */
const PLAIN_HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
let lastHost = '';

function isHost(host: string | undefined): boolean {
  if (host === lastHost) return lastHost !== '';
  if (host === undefined || !PLAIN_HOST.test(host)) return false;
  lastHost = host;
  return true;
}

/** As browsers ask for them: other forms are read by the router. */
const DATA = /^\/api\/page\?path=([\w/%.~-]+)(?:&lang=[\w-]*)?$/;
const SHELL = /^\/api\/shell(?:\?lang=([\w-]*))?$/;

/**
 * What a request asks for, by its address as it was sent. Paths that can be written in another way have no key.
 * @param langNamed Tag of the language that is asked for by name.
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
