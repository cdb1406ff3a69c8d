import { join } from 'node:path';
import icons from 'virtual:pillion/icons';
import { bytesAt, respond } from '@pillion/content/cache/media.ts';
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
import { draw, type ShareLook } from './draw.ts';
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

export interface SharePictures {
  /** @param pathname Under `/share/`. @returns `null` if no page has this picture. */
  answer: (pathname: string, request: Request) => Promise<Response | null>;
  /** Waits for current writes. */
  close: () => Promise<void>;
}

/** Each drawing uses a thread of the pool and about 30 MB. */
const PARALLEL_DRAWINGS = 2;

/** In milliseconds. After this time a substitute is sent, since social networks time out after some seconds. */
const PATIENCE_MS = 4000;

/**
 * Pictures of shared links. Each is drawn at its first request and stored on disk. Only current pictures of existing
 * pages are drawn, so an invented address causes no drawing.
 */
export function createSharePictures({
  content,
  dataDirectory,
  look,
  log,
  ...bounds
}: SharePicturesOptions): SharePictures {
  const limit = createLimit(PARALLEL_DRAWINGS);
  const wanted = new Map<string, Card>();
  let type: Promise<Typesetter> | null = null;

  async function drawn(card: Card): Promise<Buffer> {
    type ??= createTypesetter(look?.typefaces);
    const file = card.picture && (await bytesAt(fileFor(card.picture, SHARE_SIZE.width), content.media));
    return draw(card, file, await type, look);
  }

  let cleared: Promise<void> = Promise.resolve();
  // A drawing may show a deleted picture. Drawing all again is cheaper than finding out which.
  content.onMediaChanged(() => {
    cleared = cleared
      .then(() => cache.clear())
      .catch((error: unknown) => log('warn', 'share.clear-failed', { error: String(error) }));
  });
  const cache = new MediaCache({
    directory: join(dataDirectory, 'share'),
    maxBytes: 300_000_000,
    freshMs: Number.POSITIVE_INFINITY,
    ...bounds,
    async fetchUpload(name) {
      const card = wanted.get(name);
      if (!card) return failure('bad request', `${name}: no page uses it`);
      try {
        const body = await limit.run(() => drawn(card));
        const headers: Download['headers'] = { 'content-type': 'image/jpeg' };
        return success({ status: 200, headers, body: chunks(body), cancel: () => {} });
      } catch (error) {
        return failure('bad response', error instanceof Error ? error.message : String(error));
      }
    },
    onError: (name, message) => log('warn', 'share.drawing-failed', { name, message }),
  });

  /** The substitute: the chosen picture, else the site's picture, else its icon, else none. */
  async function standIn(card: Card, lang: string, request: Request): Promise<Response> {
    const picture = card.isChosen ? card.picture : await content.picture(lang);
    const found = picture && (await content.media(new URL(picture.src, request.url).pathname, request));
    if (!found || found.status >= 400)
      return icons.includes('icon-512.png')
        ? new Response(null, { status: 302, headers: { location: '/icon-512.png', ...CACHE.standIn } })
        : new Response(null, { status: 404, headers: CACHE.standIn });
    for (const [header, value] of Object.entries(CACHE.standIn)) found.headers.set(header, value);
    return found;
  }

  return {
    async answer(pathname, request) {
      const asked = readCardAddress(pathname);
      const lang = await content.languageOf(asked?.path ?? '/');
      const shared = asked && (await content.shared(asked.path, lang));
      if (!shared) return null;
      const { card, picture } = shared;
      // The page has changed since it was shared: redirect to its current picture.
      if (!card || hashOf(card) !== asked.hash)
        return new Response(null, { status: 302, headers: { location: picture.src, ...CACHE.standIn } });
      const name = `${asked.hash}.jpg`;
      wanted.set(name, card);
      const opened = cache.open(name).finally(() => wanted.delete(name));
      const handle = await valueWithin(PATIENCE_MS, opened);
      // A file that was opened too late is not read, so it must be closed.
      if (!handle) opened.then((late) => late?.close()).catch(() => {});
      return (handle && (await respond(handle, name, request, CACHE.immutable))) ?? standIn(card, lang, request);
    },
    async close() {
      await cleared;
      await cache.close();
    },
  };
}

async function* chunks(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
