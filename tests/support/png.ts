import sharp from 'sharp';

/** @param grey From 0, black, to 255, white. @returns A PNG file of one colour, for uploads. */
export async function createPng(width: number, height: number, grey = 0x80): Promise<Buffer<ArrayBuffer>> {
  const background = { r: grey, g: grey, b: grey };
  const picture = sharp({ create: { width, height, channels: 3, background } });
  return Buffer.from(await picture.png().toBuffer());
}

/** @param picture Such as a screenshot. @returns Its mean colour, 0..255 each. */
export async function measureColour(picture: Buffer): Promise<{ red: number; green: number; blue: number }> {
  const [red = 0, green = 0, blue = 0] = (await sharp(picture).stats()).channels.map(({ mean }) => mean);
  return { red, green, blue };
}
