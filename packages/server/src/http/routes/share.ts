import type { Hono } from 'hono';
import { SHARE, type Tagging } from '../../cdn/tags.ts';
import type { SharePictures } from '../../share/pictures.ts';

/** Pictures of shared links, which other sites and apps may show. */
export function shareRoutes(app: Hono, pictures: SharePictures, tags: Tagging): void {
  app.get('/share/*', async (c, next) => {
    const response = await pictures.respond(new URL(c.req.url).pathname, c.req.raw);
    if (!response) return next();
    for (const [name, value] of Object.entries(tags.tagHeaders([SHARE]))) response.headers.set(name, value);
    response.headers.set('cross-origin-resource-policy', 'cross-origin');
    return response;
  });
}
