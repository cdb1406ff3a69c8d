import { createMixer } from 'virtual:pillion/music';
import { EMPTY_HEAD, type PageHead } from '@pillion/content/pages/page-head.ts';
import type { Boot, Page, PreviewBoot, ShellContent } from '@pillion/content/types.ts';
import { createEngines } from '@pillion/motion/engines.ts';
import { Pillion } from '@pillion/react/page.tsx';
import { PreviewBar } from '@pillion/react/preview/bar.tsx';
import { pageStyles } from '@pillion/react/registry/page-styles.ts';
import { loadTemplate } from '@pillion/react/registry/templates.ts';
import { createSite } from '@pillion/react/site/site.ts';
import { ErrorPage } from '@pillion/react/ui/error-page/error-page.tsx';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { renderDocument } from './document.ts';
import type { DocumentAssets, PageAssets } from './manifest.ts';

export interface RenderOptions {
  assets: PageAssets;
  siteUrl: string;
  env: string;
  debug: boolean;
  /** Path of the analytics script, `null` where there is none. */
  analytics: string | null;
  /** Id of the tag manager, `null` where there is none. */
  tagManager: string | null;
  /** Only of a preview's document. */
  preview?: PreviewBoot;
  /** What a page shows of the number of sign-ups, counted from a number on; `null`: the count is not known. */
  signUpStep?: (from: number) => number | null;
  /** Told how long a page took to render, in seconds. */
  onRendered?: (seconds: number) => void;
}

/** The same without anything that counts who looks: nobody is counted in a preview. */
export const unmeasured = (options: RenderOptions): RenderOptions => ({
  ...options,
  analytics: null,
  tagManager: null,
});

/**
 * Renders one page to a whole document.
 * @param head What only the document's head says of the page.
 * @throws What a template throws while rendering; the caller shows the error page.
 */
export async function renderPage(
  page: Page,
  shell: ShellContent,
  options: RenderOptions,
  head: PageHead = EMPTY_HEAD,
): Promise<string> {
  const template = await loadTemplate(page.template);
  const { env, debug, analytics, tagManager, preview, onRendered } = options;
  const begun = performance.now();
  const html = renderToString(
    <Pillion
      site={createSite({ page, template, shell })}
      engines={createEngines(createMixer)}
      asksConsent={tagManager !== null}
    />,
  );
  const boot: Boot = {
    page,
    shell,
    env,
    tools: debug || preview !== undefined,
    analytics,
    tagManager,
    build: options.assets.build,
    ...(preview && { preview }),
  };
  const document = renderDocument({
    boot,
    signUpStep: signUpStepOf(shell, options),
    debug,
    head,
    html,
    assets: assetsFor(page, options),
    bar: preview ? renderToStaticMarkup(<PreviewBar preview={preview} page={page} shell={shell} />) : '',
    siteUrl: options.siteUrl,
  });
  onRendered?.((performance.now() - begun) / 1000);
  return document;
}

/** Texts of a site of which nothing is known, not even its name. The empty address leads to the page that was requested. */
export const BLANK = {
  title: 'One moment',
  paragraph: 'This site cannot be shown right now. Please try again in a moment.',
  link: { title: 'Try again', url: '', target: '' },
} as const;

/** The document that says so: the error page, without the shell. */
export function renderBlank(assets: PageAssets): string {
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

/** @returns What the page shows of the number of sign-ups; `null`: nothing, since no number is to be shown or known. */
export const signUpStepOf = ({ strings: { sign_up_number } }: ShellContent, { signUpStep }: RenderOptions) =>
  sign_up_number.from === null ? null : (signUpStep?.(sign_up_number.from) ?? null);

/** A preview's document brings the bar's files; a visitor's knows nothing of them. */
function assetsFor(page: Page, { assets, preview }: RenderOptions): DocumentAssets {
  const own = assets.forTemplate(page.template);
  if (!preview) return own;
  const { scripts, styles } = assets.forPreview(preview.kind);
  return { ...own, scripts: [...scripts, ...own.scripts], styles: [...own.styles, ...styles] };
}
