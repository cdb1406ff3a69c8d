import type { Page, ShellContent } from '../../app/content/types.ts';
import type { AnsweredPage } from '../pages.ts';
import { withoutHead } from './document.ts';
import { compress, encodingFor } from './encoding.ts';
import type { PageAssets } from './manifest.ts';
import { type RenderOptions, renderPage } from './render.tsx';

/**
 * Content is at most 60 s old here (R29 asks for no rebuild, the contract for 65 s in all), so whoever stands in front
 * adds only seconds, and keeps a copy for the day this server is down.
 */
const SHARED_CACHE = {
  // Without stale-while-revalidate: browsers obey it too, and an editor would look at her page as it was (decision 007).
  'cache-control': 'public, max-age=0, s-maxage=5, stale-if-error=86400',
  'cdn-cache-control': 'public, max-age=5, stale-while-revalidate=30, stale-if-error=86400',
};

const NEVER = { 'cache-control': 'no-store' };

const KEPT_STATUSES = new Set([200, 404, 410]);

/** Pages that are not there are kept too, for as short a time; errors never. */
const cacheFor = (status: number): Record<string, string> => (KEPT_STATUSES.has(status) ? SHARED_CACHE : NEVER);

const retryAfter = (status: number): Record<string, string> => (status === 503 ? { 'retry-after': '10' } : {});

/** A page as a document. */
export async function documentResponse(
  request: Request,
  page: Page,
  shell: ShellContent,
  options: RenderOptions,
  headers: Record<string, string> = {},
): Promise<Response> {
  const encoding = encodingFor(request.headers.get('accept-encoding') ?? '');
  const body = await compress(await renderPage(page, shell, options), encoding);
  return new Response(body, {
    status: page.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // Queries are endless: a cache of them would push out the pages.
      ...(page.search ? NEVER : cacheFor(page.status)),
      vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      ...(page.meta.noindex ? { 'x-robots-tag': 'noindex' } : {}),
      ...retryAfter(page.status),
      ...headers,
    },
  });
}

/** Where a page went; kept no longer than a page, since an editor may change her mind. */
export const redirectResponse = ({ status, location }: { status: 301 | 302; location: string }): Response =>
  new Response(null, { status, headers: { location, ...SHARED_CACHE } });

/** Anything as JSON, compressed like a page. */
export async function jsonResponse(
  request: Request,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const encoding = encodingFor(request.headers.get('accept-encoding') ?? '');
  return new Response(await compress(JSON.stringify(value), encoding), {
    status,
    headers: {
      'content-type': 'application/json',
      ...cacheFor(status),
      vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      ...retryAfter(status),
      ...headers,
    },
  });
}

/**
 * A page as JSON, with the page's own status. A redirect's status has no `Location` header, so that `fetch` hands the
 * answer over instead of following it, and the browser's address moves along.
 */
export const pageJsonResponse = (request: Request, { answer }: AnsweredPage, assets: PageAssets) =>
  jsonResponse(request, 'page' in answer ? { ...answer, page: withoutHead(answer.page) } : answer, answer.status, {
    ...('page' in answer && answer.page.search ? NEVER : {}),
    'pillion-build': assets.build,
  });

/** The last resort, when even the error page cannot be rendered: plain, complete, and without a single file. */
export const bareErrorResponse = (reference = ''): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Something went wrong</title><main><h1>Something went wrong</h1><p>This page cannot be shown right now. Please try again in a moment.</p><p><a href="/">Back to home</a></p><p>${reference}</p></main></html>`,
    { status: 500, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } },
  );
