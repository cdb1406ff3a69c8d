import type { Content } from '@pillion/content/content.ts';
import type { PageHead } from '@pillion/content/pages/page-head.ts';
import type { Page, PreviewBoot, ShellContent } from '@pillion/content/types.ts';
import { ClientGone } from '@pillion/lib/fairness.ts';
import type { Log } from '@pillion/lib/log.ts';
import { type RenderOptions, withoutAnalytics } from '../document.tsx';
import { errorPage, withErrorTexts } from '../page-responses.ts';
import { bareErrorResponse, documentResponse } from '../responses.ts';
import { type NoPreview, REFUSALS } from './texts.ts';

/** Headers of previews, which neither browsers nor caches may store. */
export const NO_STORE_HEADERS = {
  'cache-control': 'no-store, private',
  'cdn-cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  // Some addresses contain a token, which requests for files must not repeat.
  'referrer-policy': 'no-referrer',
} as const;

/** For the document at `/preview/12/`. Its address has no token, and identifies sign-ups from a preview. */
const PAGE_HEADERS = { ...NO_STORE_HEADERS, 'referrer-policy': 'same-origin' } as const;

interface Options {
  content: Content;
  render: RenderOptions;
  log: Log;
}

export function createPreviewResponses({ content, render, log }: Options) {
  /** Without analytics and tag manager. */
  const unmeasuredRender = withoutAnalytics(render);

  /** Logs only the stack frames, since the message of an error may contain text of the draft. */
  function respondToRenderError(error: unknown): Response {
    const frames = error instanceof Error ? (error.stack ?? '').match(/^ {4}at .*$/gm) : null;
    log('error', 'preview.render-failed', { at: frames?.slice(0, 5) ?? [] });
    const response = bareErrorResponse();
    for (const [name, value] of Object.entries(NO_STORE_HEADERS)) response.headers.set(name, value);
    return response;
  }

  return {
    async document(
      request: Request,
      { page, head, shell, preview }: { page: Page; head: PageHead; shell: ShellContent; preview: PreviewBoot },
    ): Promise<Response> {
      try {
        const headers = preview.kind === 'pane' ? NO_STORE_HEADERS : PAGE_HEADERS;
        return await documentResponse(request, page, shell, { ...unmeasuredRender, preview }, headers, head);
      } catch (error) {
        if (error instanceof ClientGone) throw error;
        return respondToRenderError(error);
      }
    },

    /** A page that says why there is no preview and what to do. */
    async refusal(request: Request, reason: NoPreview): Promise<Response> {
      const { status, ...texts } = REFUSALS[reason];
      const shell = withErrorTexts(await content.shell(await content.languageOf('/')), texts);
      return documentResponse(request, errorPage('/', shell, status), shell, unmeasuredRender, NO_STORE_HEADERS);
    },

    /** @param headers Cookies, for example. */
    redirect: (location: string, headers: [string, string][] = []) =>
      new Response(null, {
        status: 303,
        headers: [...Object.entries(NO_STORE_HEADERS), ['location', location], ...headers],
      }),

    /** Response to a prefetch or HEAD, which must not open a preview. */
    nothing: () => new Response(null, { status: 204, headers: NO_STORE_HEADERS }),
  };
}
