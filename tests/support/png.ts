import { crc32, deflateSync, inflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/**
 * A grey picture, for uploads.
 * @param width In pixels.
 * @param height In pixels.
 * @param grey From 0, black, to 255, white.
 * @returns A PNG file (ISO/IEC 15948): 8-bit greyscale, every row unfiltered.
 */
export function createPng(width: number, height: number, grey = 0x80): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, grey);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The value that a filter of PNG adds to a byte, from the bytes left of it, above it and between the two (9.2). */
const FILTERS: ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
    if (toLeft === undefined || toAbove === undefined || toCorner === undefined) return 0;
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

/** @param png A screenshot: 8 bits a channel, not interlaced. @returns Its mean colour, 0..255 each. */
export function measureColour(png: Buffer): { red: number; green: number; blue: number } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const packed = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const sums = [0, 0, 0, 0];
  let previousRow = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const filter = FILTERS[packed[y * (stride + 1)] ?? 0];
    const row = new Uint8Array(stride);
    for (let x = 0; x < stride; x++) {
      const left = row[x - channels] ?? 0;
      const corner = previousRow[x - channels] ?? 0;
      row[x] = (packed[y * (stride + 1) + 1 + x] ?? 0) + (filter?.(left, previousRow[x] ?? 0, corner) ?? 0);
      sums[x % channels] = (sums[x % channels] ?? 0) + (row[x] ?? 0);
    }
    previousRow = row;
  }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) => sum / (width * height));
  return { red, green, blue };
}
