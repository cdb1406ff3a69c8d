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
const KEPT = 300;

/** Longest wait for one sample, in milliseconds, so that one picture does not delay the list of problems. */
const PATIENCE_MS = 1500;

/** Each sample occupies a thread of the pool for some milliseconds. */
const AT_ONCE = 2;
/** Largest number of waiting pictures: those of two pages. Others are skipped. */
const WAITING = 100;

/** Smallest width with enough detail of a picture's colors. */
const WIDE_ENOUGH = 300;

export type PictureSampler = ReturnType<typeof createPictureSampler>;

export function createPictureSampler(media: Media['serve']) {
  const limit = createLimit(AT_ONCE, [{ concurrency: AT_ONCE, queueSize: WAITING }]);
  const kept = new LRUCache<string, PictureSample>({ max: KEPT });

  async function take(path: string): Promise<PictureSample> {
    const picture = await openRaster(await fetchMedia(path, media), path);
    return picture
      .resize(SAMPLE_SIZE, SAMPLE_SIZE, { fit: 'fill' })
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer();
  }

  async function sampleOf(picture: Picture): Promise<[string, PictureSample] | null> {
    const known = kept.get(picture.src);
    if (known) return [picture.src, known];
    const sample = await limit.run(() => take(fileFor(picture, WIDE_ENOUGH)));
    kept.set(picture.src, sample);
    return [picture.src, sample];
  }

  return {
    /** @returns The samples that were ready in time, by the picture's `src`. */
    async sample(pictures: readonly Picture[]): Promise<Map<string, PictureSample>> {
      const each = [...new Map(pictures.map((picture) => [picture.src, picture])).values()];
      const found = await Promise.all(each.map((picture) => valueWithin(PATIENCE_MS, sampleOf(picture))));
      return new Map(found.filter((entry) => entry !== null));
    },
  };
}
