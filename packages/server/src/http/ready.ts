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
import { type Found, type Made, ReadyPages, type Way } from './ready-pages.ts';
import { type Answer, bytesOf, isKept, packed } from './responses.ts';

/**
 * Kind of response: a page as a document or as JSON, or the shell. `passed-on`: a document under a path that another route
 * handles first, as `/metrics`. The router decides about each request before it is sent.
 */
export type Kind = 'document' | 'passed-on' | 'data' | 'shell';

/** An answer as bytes, the same for everybody who asks for it. */
interface KeptAnswer extends Omit<Answer, 'text'> {
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
  pages: Pages;
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

const bytesIn = ({ plain, packed, isShared }: KeptAnswer) =>
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

/** All documents of one status and language that say nothing of their path, while `shell` and `step` stay. */
interface Missing {
  shell: ShellContent;
  /** The number of sign-ups that it was rendered with. */
  step: number | null;
  document: Promise<KeptAnswer>;
}

/**
 * Answers that are ready: pages, their JSON, the shell, redirects and pages that are not there, as bytes that are sent again
 * while all the content they were made of is still what it was (decision 036). They are made by `Pages`.
 */
export class Ready {
  readonly #options: ReadyOptions;
  readonly #cache: ReadyPages<KeptAnswer, PathResponse>;
  /** By status and language. */
  readonly #missing = new Map<string, Missing>();
  /** Another build, or another setting of this one, is another answer, though a browser may hold the last. */
  readonly #salt: string;

  constructor(options: ReadyOptions) {
    const { content, pages: _, render, headers, tags: __, ...bounds } = options;
    this.#options = options;
    this.#salt = JSON.stringify([render.assets.build, headers]);
    this.#cache = new ReadyPages({
      make: (key, last) => this.#make(key, last),
      bytesOf: bytesIn,
      isEndless: ({ status }) => status !== 200,
      generation: content.generation,
      told: content.told,
      ...bounds,
    });
  }

  figures = () => this.#cache.figures();

  /**
   * Answers through the router. A response that is not ready is rendered once for all requests that wait for it.
   * @returns What the path leads to, if no response can be cached; `null` if this request has to find out.
   */
  async respond(request: Request, { kind, rest, search = '' }: Asked): Promise<Response | PathResponse | null> {
    if (NEVER.test(rest)) return null;
    const key = keyOf(kind, rest);
    const found = await this.#cache.get(key);
    if (found.value === null) return found.passing;
    const { value: answer, way } = found;
    // A redirect with a query that was asked with: nobody else's.
    if (answer.location !== null && search.length > 1) {
      const to = { status: answer.status as 301 | 302, location: answer.location };
      return packed(request, this.#options.pages.redirect(formatOf(kind), to, search));
    }
    const encoding = encodingOf(request.headers.get('accept-encoding') ?? '', answer.plain.length);
    const isKnown = isTagged(answer) && hasTag(request.headers.get('if-none-match'), answer.etag);
    const said = headersOf(answer, encoding, way);
    if (isKnown) return new Response(null, { status: 304, headers: unchanged(said) });
    const body = await this.#packedBody(key, answer, encoding, request.signal);
    this.#noteSent(key, answer, encoding);
    const length = { 'content-length': String(body.length) };
    return new Response(body.length === 0 ? null : bytesOf(body), {
      status: answer.status,
      headers: { ...said, ...length },
    });
  }

  /**
   * Sends what is ready, before the router and at the speed of a bare server.
   * @param id The request's, made when it is known to be answered here.
   * @returns What was sent; `null` where the router has to be asked.
   */
  send(req: IncomingMessage, res: ServerResponse, id: () => string): Sent | null {
    const looked = this.#look(req);
    if (!looked) return null;
    const { key, found } = looked;
    const { value: answer, way } = found;
    const encoding = encodingOf(String(req.headers['accept-encoding'] ?? ''), answer.plain.length);
    const body = bodyOf(answer, encoding);
    if (!body) return null;
    this.#cache.count(way);
    this.#noteSent(key, answer, encoding);
    const tag = req.headers['if-none-match'];
    const isKnown = tag !== undefined && isTagged(answer) && hasTag(tag, answer.etag);
    const status = isKnown ? 304 : answer.status;
    const name = `${encoding} ${way} ${isKnown}`;
    let head = answer.heads.get(name);
    if (!head) {
      const all = { ...this.#options.headers, ...headersOf(answer, encoding, way) };
      const said = isKnown ? unchanged(all) : { ...all, 'content-length': String(body.length) };
      head = Object.entries(said).flat();
      answer.heads.set(name, head);
    }
    res.writeHead(status, [...head, 'x-request-id', id()]);
    if (isKnown || req.method === 'HEAD') res.end();
    else res.end(body);
    return { status, route: answer.route };
  }

  /** Asks for what is ready in a request as Node has it. @returns `null` where the router has to be asked. */
  #look(req: IncomingMessage): { key: string; found: Found<KeptAnswer> } | null {
    const key =
      (req.method === 'GET' || req.method === 'HEAD') && isHost(req.headers.host)
        ? keyIn(req.url ?? '', (tag) => languageNamed(this.#options.content.knownLanguages(), tag).tag)
        : null;
    const found = key === null ? null : this.#cache.find(key);
    if (key === null || !found) return null;
    return found.value.location !== null && req.url?.includes('?') && !key.startsWith('data ') ? null : { key, found };
  }

  async #make(key: string, last: KeptAnswer | null): Promise<Made<KeptAnswer, PathResponse>> {
    const { pages } = this.#options;
    const cut = key.indexOf(' ');
    const [kind, rest] = [key.slice(0, cut) as Kind, key.slice(cut + 1)];
    if (kind === 'shell') return { kept: this.#keep(await pages.shell(rest), last, { route: 'shell' }), passing: null };
    const resolved = await pages.resolve(rest);
    const { response } = resolved;
    const format = formatOf(kind);
    const route = routeKindOf(format === 'data' ? '/api/page' : rest);
    if ('page' in response) {
      // A search was made without the query that it is of.
      if (response.page.search) return { kept: null, passing: null };
      if (!isKept(response.status)) return { kept: null, passing: resolved };
      if (format === 'document' && response.status !== 200)
        return { kept: { ...(await this.#missingDocument(response.page, resolved.shell)), route }, passing: null };
    }
    const location = 'location' in response ? response.location : null;
    return { kept: this.#keep(await pages.answer(format, resolved), last, { location, route }), passing: null };
  }

  /**
   * Paths that lead nowhere are endless, and their documents are alike: one is rendered and compressed for all of them.
   * @throws What rendering throws.
   */
  #missingDocument(page: Page, shell: ShellContent): Promise<KeptAnswer> {
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
    { status, headers, text }: Answer,
    last: KeptAnswer | null,
    more: Pick<KeptAnswer, 'route'> & Partial<KeptAnswer>,
  ): KeptAnswer {
    const plain = Buffer.from(text);
    // All that it was made of has been read.
    const own = { ...headers, ...this.#options.tags.ofReads() };
    const sum = createHash('sha256')
      .update(this.#salt)
      .update(JSON.stringify([status, own]))
      .update(plain)
      .digest('base64url');
    const etag = `W/"${sum.slice(0, 22)}"`;
    // The same bytes: what was compressed of them stays.
    if (last?.etag === etag) return last;
    const rest = { location: null, packed: { br: null, gzip: null }, isShared: false, sent: 0 };
    return { ...rest, heads: new Map(), status, headers: own, plain, etag, ...more };
  }

  /** Compresses in the name of whoever asks, and keeps what came of it. */
  async #packedBody(key: string, answer: KeptAnswer, encoding: Encoding, gone: AbortSignal): Promise<Uint8Array> {
    const known = bodyOf(answer, encoding);
    if (known) return known;
    const body = await compress(answer.plain, encoding, gone, () => bodyOf(answer, encoding));
    if (encoding !== 'identity' && answer.packed[encoding] === null) {
      answer.packed[encoding] = body;
      this.#cache.weigh(key, answer);
    }
    return body;
  }

  #noteSent(key: string, answer: KeptAnswer, encoding: Encoding): void {
    if (encoding !== 'br' || answer.sent >= OFTEN) return;
    answer.sent += 1;
    if (answer.sent === OFTEN && answer.status === 200) ofNoRequest(() => void this.#improve(key, answer));
  }

  async #improve(key: string, answer: KeptAnswer): Promise<void> {
    const best = await compressBest(answer.plain, () => this.#cache.holds(key, answer)).catch(() => null);
    if (!best || best.length >= (answer.packed.br?.length ?? Number.POSITIVE_INFINITY)) return;
    answer.packed.br = best;
    answer.heads.clear();
    this.#cache.weigh(key, answer);
  }
}

export const formatOf = (kind: Kind): Format => (kind === 'data' ? 'data' : 'document');

const isTagged = ({ status }: KeptAnswer) => status === 200;

/** Everything an answer says of itself, for one encoding and one way to it. */
function headersOf(answer: KeptAnswer, encoding: Encoding, way: Way): Record<string, string> {
  return {
    ...answer.headers,
    ...(encoding === 'identity' || answer.plain.length === 0 ? {} : { 'content-encoding': encoding }),
    ...(answer.plain.length === 0 ? {} : { etag: answer.etag }),
    'cache-status': STATUS_OF[way],
    'server-timing': `cache;desc=${way}`,
  };
}

const bodyOf = (answer: KeptAnswer, encoding: Encoding): Uint8Array | null =>
  encoding === 'identity' || answer.plain.length === 0 ? answer.plain : answer.packed[encoding];

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
