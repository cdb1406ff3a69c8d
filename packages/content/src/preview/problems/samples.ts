import { createLimit } from '@pillion/lib/limit.ts';
import { fileFor } from '@pillion/lib/picture.ts';
import { openRaster } from '@pillion/lib/raster.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import { fetchMedia, type Media } from '../../cache/media.ts';
import type { Picture } from '../../types.ts';

/** Number of cells across and down. */
export const SAMPLE_SIZE = 48;

/** A picture's colors, scaled to a square: red, green and blue of each cell, row by row, from 0 to 255. */
export type PictureSample = Uint8Array;

/** Largest number of cached samples. Each takes 7 KB. */
const MAX_CACHED_SAMPLES = 300;

/** Longest wait for one sample, in milliseconds, so that one picture does not delay the list of problems. */
const SAMPLE_TIMEOUT_MS = 1500;

/** Each sample occupies a thread of the pool for some milliseconds. */
const CONCURRENCY = 2;
/** Largest number of waiting pictures: those of two pages. Others are skipped. */
const MAX_QUEUE_SIZE = 100;

/** Smallest width with enough detail of a picture's colors. */
const MIN_FILE_WIDTH = 300;

export type PictureSampler = ReturnType<typeof createPictureSampler>;

export function createPictureSampler(media: Media['serve']) {
  const limit = createLimit(CONCURRENCY, [{ concurrency: CONCURRENCY, queueSize: MAX_QUEUE_SIZE }]);
  const createCache = () => new LRUCache<string, PictureSample>({ max: MAX_CACHED_SAMPLES });
  let cache = createCache();

  /**
   * Transparent parts count as black, which is close to what the dark theme shows behind them.
   * @param path Address of a file of the picture, such as `/media/a.webp`.
   */
  async function createSample(path: string): Promise<PictureSample> {
    const picture = await openRaster(await fetchMedia(path, media), path);
    return picture
      .resize(SAMPLE_SIZE, SAMPLE_SIZE, { fit: 'fill' })
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer();
  }

  async function cachedSample(picture: Picture): Promise<[string, PictureSample] | null> {
    // A sample that is read while the cache is cleared is stored in the old one.
    const current = cache;
    const cached = current.get(picture.src);
    if (cached) return [picture.src, cached];
    const sample = await limit.run(() => createSample(fileFor(picture, MIN_FILE_WIDTH)));
    current.set(picture.src, sample);
    return [picture.src, sample];
  }

  return {
    /** Forgets all samples, because a file was replaced or deleted. */
    clear() {
      cache = createCache();
    },
    /** @returns The samples that were ready in time, by the picture's `src`. */
    async sample(pictures: readonly Picture[]): Promise<Map<string, PictureSample>> {
      const unique = [...new Map(pictures.map((picture) => [picture.src, picture])).values()];
      const entries = await Promise.all(unique.map((picture) => valueWithin(SAMPLE_TIMEOUT_MS, cachedSample(picture))));
      return new Map(entries.filter((entry) => entry !== null));
    },
  };
}
