import type { Content } from '@pillion/content/content.ts';
import type { PageHead } from '@pillion/content/pages/page-head.ts';
import type { Page, PreviewBoot, ShellContent } from '@pillion/content/types.ts';
import type { Log } from '@pillion/lib/log.ts';
import { type RenderOptions, unmeasured } from '../document.tsx';
import { errorPage } from '../page-responses.ts';
import { bareErrorResponse, documentResponse } from '../responses.ts';
import { type NoPreview, REFUSALS } from './texts.ts';

/** Nobody keeps any of it: neither a browser nor a cache in front, whatever that one is told for pages. */
export const UNKEPT = {
  'cache-control': 'no-store, private',
  'cdn-cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  // Some of these addresses hold a token, which requests for the page's files must not repeat.
  'referrer-policy': 'no-referrer',
} as const;

/** The document at `/preview/12/`: its address has no token, and marks sign-ups from it as trials. */
const NAMED = { ...UNKEPT, 'referrer-policy': 'same-origin' } as const;

interface Options {
  content: Content;
  render: RenderOptions;
  log: Log;
}

export function createPreviewResponses({ content, render, log }: Options) {
  /** Nobody is counted who looks at a draft, and no tag manager hears of it. */
  const quiet = unmeasured(render);

  /** The message of what failed may hold the draft's own words; where it failed does not. */
  function unrendered(error: unknown): Response {
    const frames = error instanceof Error ? (error.stack ?? '').match(/^ {4}at .*$/gm) : null;
    log('error', 'preview.render-failed', { at: frames?.slice(0, 5) ?? [] });
    const response = bareErrorResponse();
    for (const [name, value] of Object.entries(UNKEPT)) response.headers.set(name, value);
    return response;
  }

  return {
    async document(
      request: Request,
      { page, head, shell, preview }: { page: Page; head: PageHead; shell: ShellContent; preview: PreviewBoot },
    ): Promise<Response> {
      try {
        const headers = preview.kind === 'pane' ? UNKEPT : NAMED;
        return await documentResponse(request, page, shell, { ...quiet, preview }, headers, head);
      } catch (error) {
        return unrendered(error);
      }
    },

    /** A page of plain words in the shell that says why there is no preview, and what to do. */
    async refusal(request: Request, why: NoPreview): Promise<Response> {
      const { status, title, paragraph } = REFUSALS[why];
      const shell = await content.shell(await content.languageOf('/'));
      const error = { ...shell.strings.error, title, paragraph };
      const saying = { ...shell, strings: { ...shell.strings, error } };
      return documentResponse(request, errorPage('/', saying, status), saying, quiet, UNKEPT);
    },

    /** On to another address. @param headers Cookies, mostly. */
    redirect: (location: string, headers: [string, string][] = []) =>
      new Response(null, { status: 303, headers: [...Object.entries(UNKEPT), ['location', location], ...headers] }),

    /** To a prefetch: it opens nothing and shows nothing. */
    nothing: () => new Response(null, { status: 204, headers: UNKEPT }),
  };
}
