import { join } from 'node:path';
import icons from 'virtual:pillion/icons';
import { fetchMedia, respond } from '@pillion/content/cache/media.ts';
import { MediaCache } from '@pillion/content/cache/media-cache.ts';
import type { Content } from '@pillion/content/content.ts';
import { type Card, hashOf, readCardAddress, SHARE_SIZE } from '@pillion/content/pages/share-card.ts';
import type { Download } from '@pillion/content/wordpress/client.ts';
import { failure, success } from '@pillion/content/wordpress/result.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { createLimit } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { fileFor } from '@pillion/lib/picture.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { drawSharePicture, type ShareLook } from './draw.ts';
import { createTypesetter, type Typesetter } from './type.ts';

interface SharePicturesOptions {
  content: Content;
  dataDirectory: string;
  /** Default: neutral. */
  look?: ShareLook;
  log: Log;
  /** Limit of all drawn pictures, in bytes. The least recently used are removed first. Default: 300 MB, about 4,000. */
  maxBytes?: number;
}

/** Each drawing uses a thread of the pool and about 30 MB. */
const PARALLEL_DRAWINGS = 2;

/** After this time a substitute is sent, since social networks time out after some seconds. */
const DRAWING_TIMEOUT_MS = 4000;

/**
 * Pictures of shared links. Each is drawn at its first request and stored on disk. Only current pictures of existing
 * pages are drawn, so an invented address causes no drawing.
 */
export function createSharePictures({ content, dataDirectory, look, log, ...bounds }: SharePicturesOptions) {
  const limit = createLimit(PARALLEL_DRAWINGS);
  /** Cards of the current requests, by the name of their file in the cache. */
  const requestedCards = new Map<string, Card>();
  let typesetter: Promise<Typesetter> | null = null;

  async function drawCard(card: Card): Promise<Buffer> {
    typesetter ??= createTypesetter(look?.typefaces).catch((error: unknown) => {
      // The next drawing tries again: a font may be unreadable only for a time, such as with too many open files.
      typesetter = null;
      throw error;
    });
    const [file, ready] = await Promise.all([
      card.picture && fetchMedia(fileFor(card.picture, SHARE_SIZE.width), content.media),
      typesetter,
    ]);
    return drawSharePicture(card, file, ready, look);
  }

  let clearing: Promise<void> = Promise.resolve();
  // A drawing may show a deleted picture. Drawing all again is cheaper than finding out which.
  content.onMediaChanged(() => {
    clearing = clearing
      .then(() => cache.clear())
      .catch((error: unknown) => log('warn', 'share.clear-failed', { error: String(error) }));
  });
  const cache = new MediaCache({
    directory: join(dataDirectory, 'share'),
    maxBytes: 300_000_000,
    freshMs: Number.POSITIVE_INFINITY,
    ...bounds,
    async fetchUpload(name) {
      const card = requestedCards.get(name);
      if (!card) return failure('bad request', `${name}: no page uses it`);
      try {
        const body = await limit.run(() => drawCard(card));
        const headers: Download['headers'] = { 'content-type': 'image/jpeg' };
        return success({ status: 200, headers, body: chunks(body), cancel: () => {} });
      } catch (error) {
        return failure('bad response', error instanceof Error ? error.message : String(error));
      }
    },
    onError: (name, message) => log('warn', 'share.drawing-failed', { name, message }),
  });

  /** What is sent if a card cannot be drawn: the chosen picture, else the site's picture, else its icon, else 404. */
  async function fallbackResponse(card: Card, lang: string, request: Request): Promise<Response> {
    const picture = card.isChosen ? card.picture : await content.picture(lang);
    const response = picture && (await content.media(new URL(picture.src, request.url).pathname, request));
    if (!response || response.status >= 400)
      return icons.includes('icon-512.png')
        ? new Response(null, { status: 302, headers: { location: '/icon-512.png', ...CACHE.standIn } })
        : new Response(null, { status: 404, headers: CACHE.standIn });
    for (const [header, value] of Object.entries(CACHE.standIn)) response.headers.set(header, value);
    return response;
  }

  return {
    /** @param pathname Under `/share/`. @returns `null` if no page has this picture. */
    async respond(pathname: string, request: Request): Promise<Response | null> {
      const requested = readCardAddress(pathname);
      const lang = await content.languageOf(requested?.path ?? '/');
      const current = requested && (await content.shared(requested.path, lang));
      if (!current) return null;
      const { card, picture } = current;
      // The page has changed since it was shared: redirect to its current picture.
      if (!card || hashOf(card) !== requested.hash)
        return new Response(null, { status: 302, headers: { location: picture.src, ...CACHE.standIn } });
      const name = `${requested.hash}.jpg`;
      requestedCards.set(name, card);
      const opening = cache.open(name).finally(() => requestedCards.delete(name));
      const handle = await valueWithin(DRAWING_TIMEOUT_MS, opening);
      // A file that was opened too late is not read, so it must be closed.
      if (!handle) opening.then((late) => late?.close()).catch(() => {});
      return (
        (handle && (await respond(handle, name, request, CACHE.immutable))) ?? fallbackResponse(card, lang, request)
      );
    },
    /** Waits for current writes. */
    async close(): Promise<void> {
      await clearing;
      await cache.close();
    },
  };
}

export type SharePictures = ReturnType<typeof createSharePictures>;

async function* chunks(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
