import { join } from 'node:path';
import type { Picture } from '../../app/content/types.ts';
import type { Download } from '../content/client.ts';
import type { Content } from '../content/content.ts';
import { respond } from '../content/media.ts';
import { MediaCache } from '../content/media-cache.ts';
import { patiently } from '../content/patiently.ts';
import { failure, success } from '../content/result.ts';
import { createTurns } from '../content/turns.ts';
import { localeOf } from '../locales.ts';
import type { Log } from '../log.ts';
import { type Card, hashOf, readCardAddress, SHARE_SIZE } from './card.ts';
import { draw } from './draw.ts';
import { createTypesetter, type Typesetter } from './type.ts';

interface SharePicturesOptions {
  content: Content;
  dataDirectory: string;
  /** Where the typefaces lie. */
  fontsDirectory: string;
  log: Log;
  /** All drawn pictures together, in bytes; the least recently asked for go first. Default: 300 MB, some 4,000. */
  maxBytes?: number;
}

export interface SharePictures {
  /** @param pathname Under `/share/`. @returns `null` where no page has it. */
  answer: (pathname: string, request: Request) => Promise<Response | null>;
  /** Waits until nothing is being written. */
  close: () => Promise<void>;
}

/** Drawings at once: each takes a thread of the pool and some 30 MB while it lasts. */
const PARALLEL_DRAWINGS = 2;

/** Networks give up on a picture after some seconds: what is not drawn by then is the site's own for now. */
const PATIENCE_MS = 4000;

/** What is seen is in the address. */
const FOREVER = 'public, max-age=31536000, immutable';
const FOR_NOW = 'public, max-age=60';

/** The smallest file that fills the picture. */
const fileOf = ({ src, sources }: Picture) => sources.find(({ width }) => width >= SHARE_SIZE.width)?.src ?? src;

/**
 * The pictures that links show where they are shared, drawn when they are first asked for and kept on disk. Only a page
 * that is there is drawn, and only as it is now: no address somebody makes up costs a drawing.
 */
export function createSharePictures({
  content,
  dataDirectory,
  fontsDirectory,
  log,
  ...bounds
}: SharePicturesOptions): SharePictures {
  const turns = createTurns(PARALLEL_DRAWINGS);
  const wanted = new Map<string, Card>();
  let type: Promise<Typesetter> | null = null;

  async function fileUnder(card: Card): Promise<Uint8Array | null> {
    if (!card.picture) return null;
    const src = fileOf(card.picture);
    const answer = await content.media(src, new Request(new URL(src, 'http://here.invalid')));
    if (answer?.status !== 200) throw new Error(`${src} cannot be had`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async function drawn(card: Card): Promise<Buffer> {
    type ??= createTypesetter(fontsDirectory);
    const file = await fileUnder(card);
    return draw(card, file, await type);
  }

  const cache = new MediaCache({
    directory: join(dataDirectory, 'share'),
    maxBytes: 300_000_000,
    freshMs: Number.POSITIVE_INFINITY,
    ...bounds,
    async fetchUpload(name) {
      const card = wanted.get(name);
      if (!card) return failure('bad request', `${name}: nobody asked for it`);
      try {
        const body = await turns.take(() => drawn(card));
        const headers: Download['headers'] = { 'content-type': 'image/jpeg' };
        return success({ status: 200, headers, body: chunks(body), cancel: () => {} });
      } catch (error) {
        return failure('bad response', error instanceof Error ? error.message : String(error));
      }
    },
    onError: (name, message) => log('warn', 'share.drawing-failed', { name, message }),
  });

  /** The chosen picture as it is, else the site's own, or its icon: a shared link shows something. */
  async function standIn(card: Card, lang: string, request: Request): Promise<Response> {
    const picture = card.isChosen ? card.picture : await content.picture(lang);
    const found = picture && (await content.media(new URL(picture.src, request.url).pathname, request));
    if (!found)
      return new Response(null, { status: 302, headers: { location: '/icon-512.png', 'cache-control': FOR_NOW } });
    found.headers.set('cache-control', FOR_NOW);
    return found;
  }

  return {
    async answer(pathname, request) {
      const asked = readCardAddress(pathname);
      const lang = localeOf(asked?.path ?? '/');
      const shared = asked && (await content.shared(asked.path, lang));
      if (!shared) return null;
      const { card, picture } = shared;
      // A page that has changed since it was shared shows what it is now.
      if (!card || hashOf(card) !== asked.hash)
        return new Response(null, { status: 302, headers: { location: picture.src, 'cache-control': FOR_NOW } });
      const name = `${asked.hash}.jpg`;
      wanted.set(name, card);
      const opened = cache.open(name).finally(() => wanted.delete(name));
      const handle = await patiently(PATIENCE_MS, opened);
      // One that came too late was opened for nobody.
      if (!handle) opened.then((late) => late?.close()).catch(() => {});
      return (handle && (await respond(handle, name, request, FOREVER))) ?? standIn(card, lang, request);
    },
    close: () => cache.close(),
  };
}

async function* chunks(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
