import { createMixer } from '@pillion/motion/sound/mixer.ts';
import '@pillion/react/styles/global.css';
import type { Boot } from '@pillion/content/types.ts';
import { createEngines } from '@pillion/motion/engines.ts';
import { Pillion } from '@pillion/react/page.tsx';
import { loadTemplate } from '@pillion/react/registry/templates.ts';
import { createSite } from '@pillion/react/site/site.ts';
import { hydrateRoot } from 'react-dom/client';

// The baseline for the browser's work on load: hydrates the same page and does nothing else.
const root = document.getElementById('root');
const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Boot;
const template = await loadTemplate(boot.page.template);
if (root)
  hydrateRoot(
    root,
    <Pillion
      site={createSite({ page: boot.page, template, shell: boot.shell })}
      engines={createEngines(createMixer)}
      asksConsent={false}
    />,
  );
