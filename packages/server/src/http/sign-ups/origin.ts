import { IDENTIFYING } from '@pillion/lib/campaign-parameters.ts';
import type { Origin } from '@pillion/sign-ups/outbox/outbox.ts';

/** Longest stored name of a browser, in characters. */
const MAX_AGENT_LENGTH = 250;

/** Longest stored path of a page, in characters. */
const MAX_PATH_LENGTH = 2_000;

/** Addresses with a UUID are not stored: a backend could take it for the sign-up id. */
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

/** An address that a request names; `null` if it is not an address of this site. */
export function parseOwnAddress(named: string, request: Request, siteUrl: string): URL | null {
  const address = URL.parse(named);
  const isOwn =
    address !== null && (address.origin === URL.parse(siteUrl)?.origin || address.host === request.headers.get('host'));
  return isOwn ? address : null;
}

/** The page of this site that a request comes from; `null` without a Referer or from another site. */
export const ownReferer = (request: Request, siteUrl: string): URL | null =>
  parseOwnAddress(request.headers.get('referer') ?? '', request, siteUrl);

/** Addresses of previews. Editors cannot use them for pages, so a visitor's form never matches. */
const PREVIEW = /^\/preview\/(?:pane\/)?([1-9]\d{0,14})\/?$/;

/**
 * The post whose preview a form was sent from; `null`: not from a preview. Only the page's address counts: `Env` is the
 * name of the deployment, which may be `preview` too.
 */
export function previewedPost(request: Request, siteUrl: string): number | null {
  const [, post] = PREVIEW.exec(ownReferer(request, siteUrl)?.pathname ?? '') ?? [];
  return post === undefined ? null : Number(post);
}

/**
 * Whether a form was sent from a preview. The pane sends no Referer, since its address contains a token. It is the only
 * document of this site that may be in a frame (Fetch Metadata, `Sec-Fetch-Dest`).
 */
export const isFromPreview = (request: Request, siteUrl: string): boolean =>
  previewedPost(request, siteUrl) !== null || request.headers.get('sec-fetch-dest') === 'iframe';

function pathOf(request: Request, siteUrl: string, keepsClickIds: boolean): string {
  const referer = ownReferer(request, siteUrl);
  // A form that was sent without script and is shown again has the address of the endpoint.
  if (referer === null || referer.pathname.startsWith('/api/')) return '/';
  // Each `delete` encodes the whole query again.
  const removedParameters = keepsClickIds ? [] : IDENTIFYING.filter((name) => referer.searchParams.has(name));
  for (const name of removedParameters) referer.searchParams.delete(name);
  // Browsers send only ASCII here, the only characters that a header may contain.
  return (
    [referer.pathname + referer.search, referer.pathname].find(
      (path) => !UUID.test(path) && path.length <= MAX_PATH_LENGTH,
    ) ?? '/'
  );
}

/**
 * Page, browser and address of a sign-up, for the backend's entry.
 * @param address `''` if the form keeps none.
 */
export function originOf(request: Request, siteUrl: string, address: string, keepsClickIds: boolean): Origin {
  const agent = (request.headers.get('user-agent') ?? '').slice(0, MAX_AGENT_LENGTH);
  return { page: siteUrl + pathOf(request, siteUrl, keepsClickIds), agent: UUID.test(agent) ? '' : agent, address };
}
