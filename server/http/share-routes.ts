import type { Hono } from 'hono';
import type { SharePictures } from '../share/pictures.ts';

/** Pictures that links show where they are shared: made to be shown by others, in pages and apps of theirs. */
export function shareRoutes(app: Hono, pictures: SharePictures): void {
  app.get('/share/*', async (c, next) => {
    const answer = await pictures.answer(new URL(c.req.url).pathname, c.req.raw);
    if (!answer) return next();
    answer.headers.set('cross-origin-resource-policy', 'cross-origin');
    return answer;
  });
}
