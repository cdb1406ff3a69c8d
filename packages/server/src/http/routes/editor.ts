import type { Content } from '@pillion/content/content.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { EDITOR_STYLES } from '@pillion/react/styles/editor-styles.ts';
import type { Hono } from 'hono';
import type { Looks } from '../../look.ts';

/**
 * Redirects WordPress' block editor to the site's colours and typefaces, whose address changes with each build. A look
 * changes some of them.
 */
export function editorRoutes(app: Hono, content: Content, looks: Looks): void {
  app.get('/api/editor.css', async () => {
    const { strings } = await content.shell(await content.languageNamed(undefined));
    const own = looks.editorCssOf(strings.look);
    if (own !== '') {
      const type = { 'content-type': 'text/css; charset=utf-8' };
      const sheet = `@import '${EDITOR_STYLES}';\n${own}`;
      return new Response(sheet, {
        headers: { ...CACHE.never, ...type, 'cross-origin-resource-policy': 'cross-origin' },
      });
    }
    const headers = { ...CACHE.never, location: EDITOR_STYLES, 'cross-origin-resource-policy': 'cross-origin' };
    return new Response(null, { status: 302, headers });
  });
}
