import { renderToString } from 'react-dom/server';
import type { Page, ShellContent } from '../app/content/types.ts';
import { createEngines } from '../app/engines/engines.ts';
import { Pillion } from '../app/page.tsx';
import { createSite } from '../app/site.ts';
import { loadTemplate } from '../app/templates/registry.ts';
import type { PageAssets } from '../server/http/manifest.ts';
import { renderPage } from '../server/http/render.tsx';

const assets: PageAssets = {
  build: 'bench',
  forTemplate: () => ({ scripts: ['/a.js'], styles: ['/a.css'], preloads: [], fonts: [], extraHead: '' }),
};

/** The same tree both ways: React alone, and the whole document around it. Built by `bench.mjs`, run there. */
export async function renderers(page: Page, shell: ShellContent) {
  const template = await loadTemplate(page.template);
  return {
    bare: () =>
      renderToString(
        <Pillion site={createSite({ page, template, shell })} engines={createEngines()} asksConsent={false} />,
      ),
    document: () =>
      renderPage(page, shell, {
        assets,
        siteUrl: 'http://127.0.0.1',
        env: 'production',
        debug: false,
        analytics: null,
        tagManager: null,
      }),
  };
}
