import { CACHE } from '@pillion/lib/cache-control.ts';
import { EDITOR_STYLES } from '@pillion/react/styles/editor-styles.ts';
import type { Hono } from 'hono';

/** Redirects WordPress' block editor to the site's colours and typefaces, whose address changes with each build. */
export function editorRoutes(app: Hono): void {
  app.get('/api/editor.css', () => {
    const headers = { ...CACHE.never, location: EDITOR_STYLES, 'cross-origin-resource-policy': 'cross-origin' };
    return new Response(null, { status: 302, headers });
  });
}
