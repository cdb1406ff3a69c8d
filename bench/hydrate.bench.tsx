import '../app/styles/global.css';
import { hydrateRoot } from 'react-dom/client';
import { createEngines } from '../app/engines/engines.ts';
import { Pillion } from '../app/page.tsx';
import { loadTemplate } from '../app/registry/templates.ts';
import { createSite } from '../app/site/site.ts';
import type { Boot } from '../shared/content.ts';

// The yardstick for the browser's work on load: the same page, hydrated and nothing else.
const root = document.getElementById('root');
const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Boot;
const template = await loadTemplate(boot.page.template);
if (root)
  hydrateRoot(
    root,
    <Pillion
      site={createSite({ page: boot.page, template, shell: boot.shell })}
      engines={createEngines()}
      asksConsent={false}
    />,
  );
