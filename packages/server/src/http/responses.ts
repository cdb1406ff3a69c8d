import { EMPTY_HEAD, type PageHead } from '@pillion/content/pages/page-head.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { compress, encodingOf } from './encoding.ts';
import type { PageAssets } from './manifest.ts';
import type { PathResponse } from './page-responses.ts';
import { BLANK, type RenderOptions, renderBlank, renderPage } from './render.tsx';

const KEPT_STATUSES = new Set([200, 404, 410]);

/** Whether an answer of this status may be kept, by anybody. */
export const isKept = (status: number): boolean => KEPT_STATUSES.has(status);

/** Pages that are not there are kept too, for as short a time; errors never. */
const cacheFor = (status: number): Record<string, string> => (isKept(status) ? CACHE.page : CACHE.never);

const retryAfter = (status: number): Record<string, string> => (status === 503 ? { 'retry-after': '10' } : {});

/** A page as a document. @param head What only the document's head says of it; pages of our own making have none. */
export async function documentResponse(
  request: Request,
  page: Page,
  shell: ShellContent,
  options: RenderOptions,
  headers: Record<string, string> = {},
  head: PageHead = EMPTY_HEAD,
): Promise<Response> {
  const text = await renderPage(page, shell, options, head);
  return packedResponse(request, text, page.status, { ...documentHeaders(page), ...headers });
}

/** What a document says of itself beside its encoding. */
export const documentHeaders = (page: Page): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  // Queries are endless: a cache of them would push out the pages.
  ...(page.search ? CACHE.never : cacheFor(page.status)),
  vary: 'Accept-Encoding',
  ...(page.meta.noindex ? { 'x-robots-tag': 'noindex' } : {}),
  ...retryAfter(page.status),
});

async function packedResponse(
  request: Request,
  text: string,
  status: number,
  headers: Record<string, string>,
): Promise<Response> {
  const raw = Buffer.from(text);
  const encoding = encodingOf(request.headers.get('accept-encoding') ?? '', raw.length);
  const body = await compress(raw, encoding, request.signal);
  return new Response(bytesOf(body), {
    status,
    headers: { ...headers, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) },
  });
}

/** The same bytes as a body: `Response` takes no memory that may be shared between threads, and this never is. */
export const bytesOf = (body: Uint8Array) => body as Uint8Array<ArrayBuffer>;

/** Where a page went; kept no longer than a page, since an editor may change her mind. */
export const redirectResponse = ({ status, location }: { status: 301 | 302; location: string }): Response =>
  new Response(null, { status, headers: { location, ...CACHE.page } });

/** Anything as JSON, compressed like a page. */
export const jsonResponse = (
  request: Request,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> => packedResponse(request, JSON.stringify(value), status, { ...jsonHeaders(status), ...headers });

export const jsonHeaders = (status: number): Record<string, string> => ({
  'content-type': 'application/json',
  ...cacheFor(status),
  vary: 'Accept-Encoding',
  ...retryAfter(status),
});

/**
 * A page as JSON, with the page's own status. A redirect's status has no `Location` header, so that `fetch` hands the
 * answer over instead of following it, and the browser's address moves along.
 */
export const pageJsonResponse = (request: Request, { response }: PathResponse, assets: PageAssets) =>
  jsonResponse(request, response, response.status, {
    ...('page' in response && response.page.search ? CACHE.never : {}),
    'pillion-build': assets.build,
  });

/** While nothing is known of the site. @param assets Of a document; a program reads the words alone. */
export function blankResponse(assets: PageAssets | null = null): Response {
  const [type, body] = assets ? ['html', renderBlank(assets)] : ['plain', `${BLANK.title}\n${BLANK.paragraph}\n`];
  const headers = { 'content-type': `text/${type}; charset=utf-8`, ...CACHE.never, ...retryAfter(503) };
  return new Response(body, { status: 503, headers });
}

/** The last resort, when even the error page cannot be rendered: plain, complete, and without a single file. */
export const bareErrorResponse = (reference = ''): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Something went wrong</title><main><h1>Something went wrong</h1><p>This page cannot be shown right now. Please try again in a moment.</p><p><a href="/">Back to home</a></p><p>${reference}</p></main></html>`,
    { status: 500, headers: { 'content-type': 'text/html; charset=utf-8', ...CACHE.never } },
  );
