import { renderToString } from 'react-dom/server';
import type { Boot, Page, ShellContent } from '../../app/content/types.ts';
import { createEngines } from '../../app/engines/engines.ts';
import { Pillion } from '../../app/page.tsx';
import { createSite } from '../../app/site.ts';
import { loadTemplate } from '../../app/templates/registry.ts';
import { renderDocument } from './document.ts';
import type { PageAssets } from './manifest.ts';

export interface RenderOptions {
  assets: PageAssets;
  siteUrl: string;
  env: string;
  debug: boolean;
  /** Path of the analytics script, `null` where there is none. */
  analytics: string | null;
  /** Id of the tag manager, `null` where there is none. */
  tagManager: string | null;
  /** Told how long a page took to render, in seconds. */
  onRendered?: (seconds: number) => void;
}

/**
 * Renders one page to a whole document.
 * @throws What a template throws while rendering; the caller shows the error page.
 */
export async function renderPage(page: Page, shell: ShellContent, options: RenderOptions): Promise<string> {
  const template = await loadTemplate(page.template);
  const { env, debug, analytics, tagManager, onRendered } = options;
  const begun = performance.now();
  const html = renderToString(
    <Pillion
      site={createSite({ page, template, shell })}
      engines={createEngines()}
      asksConsent={tagManager !== null}
    />,
  );
  const boot: Boot = { page, shell, env, debug, analytics, tagManager, build: options.assets.build };
  const document = renderDocument({
    boot,
    html,
    assets: options.assets.forTemplate(page.template),
    siteUrl: options.siteUrl,
  });
  onRendered?.((performance.now() - begun) / 1000);
  return document;
}
