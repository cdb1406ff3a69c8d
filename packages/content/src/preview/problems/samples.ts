import { createLimit } from '@pillion/lib/limit.ts';
import { openRaster } from '@pillion/lib/raster.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import type { Picture } from '../../types.ts';

/** Number of cells across and down. */
export const SAMPLE_SIZE = 48;

/** A picture's colors, scaled to a square: red, green and blue of each cell, row by row, from 0 to 255. */
export type PictureSample = Uint8Array;

/** Creates small samples of pictures. */
export interface Samples {
  /** @returns The samples that were ready in time, by the picture's `src`. */
  of: (pictures: readonly Picture[]) => Promise<Map<string, PictureSample>>;
}

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

/** Returns the smallest file that is wide enough. */
const fileOf = ({ src, sources }: Picture) =>
  sources.toSorted((a, b) => a.width - b.width).find(({ width }) => width >= WIDE_ENOUGH)?.src ?? src;

/** @param media Responds with a file of the media library by its path; `null` if it does not exist. */
export function createSamples(media: (path: string, request: Request) => Promise<Response | null>): Samples {
  const limit = createLimit(AT_ONCE, [{ concurrency: AT_ONCE, queueSize: WAITING }]);
  const kept = new LRUCache<string, PictureSample>({ max: KEPT });

  async function take(path: string): Promise<PictureSample> {
    const answer = await media(path, new Request(new URL(path, 'http://here.invalid')));
    if (answer?.status !== 200) throw new Error(`${path} cannot be fetched`);
    const picture = await openRaster(new Uint8Array(await answer.arrayBuffer()), path);
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
    const sample = await limit.run(() => take(fileOf(picture)));
    kept.set(picture.src, sample);
    return [picture.src, sample];
  }

  return {
    async of(pictures) {
      const each = [...new Map(pictures.map((picture) => [picture.src, picture])).values()];
      const found = await Promise.all(each.map((picture) => valueWithin(PATIENCE_MS, sampleOf(picture))));
      return new Map(found.filter((entry) => entry !== null));
    },
  };
}
