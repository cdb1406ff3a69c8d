import type { Origin } from '@pillion/sign-ups/outbox/outbox.ts';

/** Longest name of a browser that Gravity Forms keeps, in characters. */
const LONGEST_AGENT = 250;

/** Gravity Forms keeps 200 characters of an address; one so long is nobody's page. */
const LONGEST_PATH = 2_000;

/** No id but the sign-up's own goes to WordPress: one in an address could be taken for it. */
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

/** The page of this site that a request comes from; `null` where it is another's or not said. */
function ownReferer(request: Request, siteUrl: string): URL | null {
  const from = URL.parse(request.headers.get('referer') ?? '');
  const isOwn =
    from !== null && (from.origin === URL.parse(siteUrl)?.origin || from.host === request.headers.get('host'));
  return isOwn ? from : null;
}

/** Addresses of previews. No page of an editor's can stand at one, so no visitor's form is taken for one of a preview. */
const PREVIEW = /^\/preview\/(?:pane\/)?([1-9]\d{0,14})\/?$/;

/**
 * The post whose preview a form was sent from; `null` where it was not. By the page's address alone: what `Env` says is the
 * deployment's name, and a deployment may well be called `preview`.
 */
export function previewedPost(request: Request, siteUrl: string): number | null {
  const [, post] = PREVIEW.exec(ownReferer(request, siteUrl)?.pathname ?? '') ?? [];
  return post === undefined ? null : Number(post);
}

/**
 * Whether a form was sent from a preview. The pane next to the editor sends no Referer, since its address holds a token; it is
 * the only document of this site that may be in a frame (Fetch Metadata, `Sec-Fetch-Dest`).
 */
export const isFromPreview = (request: Request, siteUrl: string): boolean =>
  previewedPost(request, siteUrl) !== null || request.headers.get('sec-fetch-dest') === 'iframe';

function pathOf(request: Request, siteUrl: string): string {
  const from = ownReferer(request, siteUrl);
  // A form that was answered stands at an address of its own, which is no page.
  if (from === null || from.pathname.startsWith('/api/')) return '/';
  // As browsers send it there is nothing but ASCII in it, and a header may hold nothing else.
  return (
    [from.pathname + from.search, from.pathname].find((path) => !UUID.test(path) && path.length <= LONGEST_PATH) ?? '/'
  );
}

/** Whose sign-up it is, as its page would have told. @param address Empty where the form keeps none. */
export function originOf(request: Request, siteUrl: string, address: string): Origin {
  const agent = (request.headers.get('user-agent') ?? '').slice(0, LONGEST_AGENT);
  return { page: siteUrl + pathOf(request, siteUrl), agent: UUID.test(agent) ? '' : agent, address };
}
