import { CACHE } from '@pillion/lib/cache-control.ts';
import { pageStyles } from '@pillion/react/registry/page-styles.ts';
import { ErrorPage } from '@pillion/react/ui/error-page/error-page.tsx';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PageAssets } from './manifest.ts';
import { type PreparedResponse, retryHeaders } from './responses.ts';

/** Texts of a site without any content. The empty address links to the requested page. */
const BLANK = {
  title: 'One moment',
  paragraph: 'This site cannot be shown right now. Please try again in a moment.',
  link: { title: 'Try again', url: '', target: '' },
} as const;

/** The error page without the shell. It has no starter, which would set `data-typed` and so apply the typefaces. */
function renderBlank(assets: PageAssets): string {
  const styles = [...assets.forTemplate('error').styles, ...pageStyles({ template: 'error', sections: [] })];
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="en" data-theme="dark" data-typed="">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <title>{BLANK.title}</title>
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>
        <main>
          <ErrorPage kind="error" texts={BLANK} />
        </main>
      </body>
    </html>,
  )}`;
}

/** The response of a site without any content. @param assets Of a document; `null`: plain text, for programs. */
export function prepareBlankPage(assets: PageAssets | null = null): PreparedResponse {
  const [type, text] = assets ? ['html', renderBlank(assets)] : ['plain', `${BLANK.title}\n${BLANK.paragraph}\n`];
  return {
    status: 503,
    headers: { 'content-type': `text/${type}; charset=utf-8`, ...CACHE.never, ...retryHeaders(503) },
    text,
  };
}
