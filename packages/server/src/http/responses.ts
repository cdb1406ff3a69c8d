import { EMPTY_HEAD, type PageHead } from '@pillion/content/pages/page-head.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { type RenderOptions, renderPage } from './document.tsx';
import { chooseEncoding, compress } from './encoding.ts';

const CACHEABLE_STATUSES = new Set([200, 404, 410]);

/** Whether responses of this status may be cached. */
export const isCacheable = (status: number): boolean => CACHEABLE_STATUSES.has(status);

/** Missing pages are cached as long as pages; errors never. */
const cacheHeaders = (status: number): Record<string, string> => (isCacheable(status) ? CACHE.page : CACHE.never);

export const retryHeaders = (status: number): Record<string, string> => (status === 503 ? { 'retry-after': '10' } : {});

/** A response before it is compressed. */
export interface PreparedResponse {
  status: number;
  /** Without those of the encoding. */
  headers: Record<string, string>;
  text: string;
}

/** A page as a document. @param head Metadata that only the head has. Default: none, as for the site's own pages. */
export async function prepareDocument(
  page: Page,
  shell: ShellContent,
  options: RenderOptions,
  headers: Record<string, string> = {},
  head: PageHead = EMPTY_HEAD,
): Promise<PreparedResponse> {
  const text = await renderPage(page, shell, options, head);
  return { status: page.status, headers: { ...documentHeaders(page), ...headers }, text };
}

/** Sends one of the site's own pages, or a draft, to one client. */
export const documentResponse = async (
  request: Request,
  ...args: Parameters<typeof prepareDocument>
): Promise<Response> => compressResponse(request, await prepareDocument(...args));

/** Headers of a document without those of the encoding. */
const documentHeaders = (page: Page): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  // There is no limit to queries: caches would evict pages for them.
  ...(page.search ? CACHE.never : cacheHeaders(page.status)),
  vary: 'Accept-Encoding',
  ...(page.meta.noindex ? { 'x-robots-tag': 'noindex' } : {}),
  ...retryHeaders(page.status),
});

/** The response without compression. */
export const uncompressedResponse = ({ status, headers, text }: PreparedResponse): Response =>
  new Response(text, { status, headers });

/** Compresses a response for one client. */
export async function compressResponse(
  request: Request,
  { status, headers, text }: PreparedResponse,
): Promise<Response> {
  const raw = Buffer.from(text);
  const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '', raw.length);
  return new Response(toBody(await compress(raw, encoding, request.signal)), {
    status,
    headers: { ...headers, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) },
  });
}

/** The body of a `Response`; `null` if it is empty. The type says that threads do not share the memory. */
export const toBody = (bytes: Uint8Array) => (bytes.length === 0 ? null : (bytes as Uint8Array<ArrayBuffer>));

export const prepareJson = (value: unknown, status = 200, headers: Record<string, string> = {}): PreparedResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    ...cacheHeaders(status),
    vary: 'Accept-Encoding',
    ...retryHeaders(status),
    ...headers,
  },
  text: JSON.stringify(value),
});

export const jsonResponse = (request: Request, ...args: Parameters<typeof prepareJson>): Promise<Response> =>
  compressResponse(request, prepareJson(...args));

/** The response when the error page cannot be rendered. It needs no other file. */
export const bareErrorResponse = (reference = ''): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Something went wrong</title><main><h1>Something went wrong</h1><p>This page cannot be shown right now. Please try again in a moment.</p><p><a href="/">Back to home</a></p><p>${reference}</p></main></html>`,
    { status: 500, headers: { 'content-type': 'text/html; charset=utf-8', ...CACHE.never } },
  );
