import '../app/styles/global.css';
import { hydrateRoot } from 'react-dom/client';
import type { Boot } from '../app/content/types.ts';
import { createEngines } from '../app/engines/engines.ts';
import { Pillion } from '../app/page.tsx';
import { createSite } from '../app/site.ts';
import { loadTemplate } from '../app/templates/registry.ts';

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
