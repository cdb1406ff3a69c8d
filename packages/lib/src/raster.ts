import type { Sharp } from 'sharp';

/** Accepted formats. SVG is excluded, because it is markup. */
const RASTER_FORMATS = ['jpeg', 'png', 'webp', 'heif', 'gif'];

/** More pixels than any camera has. A file that decodes to more is an attack. */
const MAX_PIXELS = 100_000_000;

/** Loads sharp, with one thread per picture and without a cache, because the site opens each picture once. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Opens an uploaded picture and rotates it upright.
 * @param name For the error message.
 * @throws If the format is not accepted, or sharp has no build for this machine.
 */
export async function openRaster(file: Uint8Array, name: string): Promise<Sharp> {
  const sharp = await loadSharp();
  const picture = sharp(file, { limitInputPixels: MAX_PIXELS });
  const { format } = await picture.metadata();
  if (!RASTER_FORMATS.includes(format)) throw new Error(`${name}: a ${format} is not opened`);
  return picture.rotate();
}
