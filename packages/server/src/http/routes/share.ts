import type { Hono } from 'hono';
import { SHARE, type Tagging } from '../../cdn/tags.ts';
import type { SharePictures } from '../../share/pictures.ts';

/** Pictures of shared links, which other sites and apps may show. */
export function shareRoutes(app: Hono, pictures: SharePictures, tags: Tagging): void {
  app.get('/share/*', async (c, next) => {
    const answer = await pictures.answer(new URL(c.req.url).pathname, c.req.raw);
    if (!answer) return next();
    for (const [name, value] of Object.entries(tags.of([SHARE]))) answer.headers.set(name, value);
    answer.headers.set('cross-origin-resource-policy', 'cross-origin');
    return answer;
  });
}
