import type { Boot, Page } from '@pillion/content/types.ts';
import { showMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { fragments } from './sections/section-view.tsx';
import type { Site } from './site/site.ts';
import type { Template } from './templates/template.ts';

/**
 * Starts what visitors do not get: the debug panel (R45) and previews. One module for both, so that the visitor's entry
 * has only one import.
 * @param prepare Fetches all code and styles that a page needs.
 */
export async function start(
  { preview }: Boot,
  site: Site,
  engines: Engines,
  prepare: (page: Page) => Promise<Template>,
): Promise<void> {
  if (document.documentElement.dataset.debug !== undefined)
    (await import('@pillion/motion/debug/debug-panel.ts')).showDebugPanel(engines);
  if (preview)
    (await import('./preview/preview.ts')).startPreview({ preview, site, engines, prepare, fragments, showMotion });
}
