import { createLimit } from '@pillion/lib/limit.ts';
import { openRaster } from '@pillion/lib/raster.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import type { Picture } from '../../types.ts';

/** Cells of a sample, across and down. */
export const SAMPLE_SIZE = 48;

/** A picture's colours, squeezed into a square: red, green and blue of each cell, row by row, each from 0 to 255. */
export type PictureSample = Uint8Array;

/** Pictures as they are seen from afar, for who judges by them. */
export interface Samples {
  /** @returns What could be had in time, by the picture's `src`. */
  of: (pictures: readonly Picture[]) => Promise<Map<string, PictureSample>>;
}

/** A sample takes 7 KB. */
const KEPT = 300;

/** An editor waits for the list of problems, not for one line of it. In milliseconds. */
const PATIENCE_MS = 1500;

/** Each takes a thread of the pool for some milliseconds. */
const AT_ONCE = 2;
/** Pictures that may wait for one: as many as two pages have. Others are not looked at. */
const WAITING = 100;

/** A file of this width says enough of a picture's colours. */
const WIDE_ENOUGH = 300;

/** The smallest file that says enough. */
const fileOf = ({ src, sources }: Picture) =>
  sources.toSorted((a, b) => a.width - b.width).find(({ width }) => width >= WIDE_ENOUGH)?.src ?? src;

/** @param media Answers with a file of the media library, by its path on the site; `null`: there is none. */
export function createSamples(media: (path: string, request: Request) => Promise<Response | null>): Samples {
  const limit = createLimit(AT_ONCE, [{ concurrency: AT_ONCE, queueSize: WAITING }]);
  const kept = new LRUCache<string, PictureSample>({ max: KEPT });

  async function take(path: string): Promise<PictureSample> {
    const answer = await media(path, new Request(new URL(path, 'http://here.invalid')));
    if (answer?.status !== 200) throw new Error(`${path} cannot be had`);
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
