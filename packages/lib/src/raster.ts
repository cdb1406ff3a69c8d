import type { Sharp } from 'sharp';

/** Only these kinds of file are opened. SVG is not among them: it is markup. */
const RASTER = ['jpeg', 'png', 'webp', 'heif', 'gif'];

/** No camera makes more pixels. A file that unpacks to more is an attack. */
const MOST_PIXELS = 100_000_000;

/** The library that reads and writes pictures. One thread for each and no cache: a site opens each picture once. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Opens a picture that an editor has uploaded, upright as it was taken.
 * @param name For the error.
 * @throws Where the file is no picture that is opened here, or this machine has no build of the library.
 */
export async function openRaster(file: Uint8Array, name: string): Promise<Sharp> {
  const sharp = await loadSharp();
  const picture = sharp(file, { limitInputPixels: MOST_PIXELS });
  const { format } = await picture.metadata();
  if (!RASTER.includes(format)) throw new Error(`${name}: a ${format} is not opened`);
  return picture.rotate();
}
