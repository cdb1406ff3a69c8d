import type { Page, ShellContent } from '@pillion/content/types.ts';
import { createEngines } from '@pillion/motion/engines.ts';
import { createMixer } from '@pillion/motion/sound/mixer.ts';
import { Pillion } from '@pillion/react/page.tsx';
import { loadTemplate } from '@pillion/react/registry/templates.ts';
import { createSite } from '@pillion/react/site/site.ts';
import { renderPage } from '@pillion/server/http/document.tsx';
import type { PageAssets } from '@pillion/server/http/manifest.ts';
import { renderToString } from 'react-dom/server';

const assets: PageAssets = {
  forPreview: () => ({ scripts: [], styles: [] }),
  build: 'bench',
  forTemplate: () => ({ scripts: [], starter: '/a.js', later: ['/b.js'], styles: ['/a.css'], extraHead: '' }),
};

/** Renders the same tree with React alone and as the whole document. `bench.mjs` builds and runs this. */
export async function renderers(page: Page, shell: ShellContent) {
  const template = await loadTemplate(page.template);
  return {
    bare: () =>
      renderToString(
        <Pillion
          site={createSite({ page, template, shell })}
          engines={createEngines(createMixer)}
          asksConsent={false}
        />,
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
