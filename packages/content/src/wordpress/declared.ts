import { workerData } from 'node:worker_threads';
import kit from '@pillion/plugin/blocks/sections.json' with { type: 'json' };

/**
 * Declarations of the kit's sections and templates. The site's build adds the site's own (vite/own-parts-plugin.mjs of
 * the server). A thread may run without a build, so the thread that starts it passes them as `workerData.declared`.
 */
export const DECLARED = (workerData as { declared?: typeof kit } | null)?.declared ?? kit;
