import type { Browser } from '@playwright/test';

/** An element of EBML (RFC 8794) with its size in eight bytes. @param id In hexadecimal. */
function element(id: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(data.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, data]);
}

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255]);

interface Frame {
  /** Encoded as VP8, in base64. */
  data: string;
  isKey: boolean;
}

/** Size in pixels, and duration of a frame in milliseconds. */
const FORMAT = { width: 160, height: 100, frameMs: 100 };

/** @returns A WebM file (RFC 9559) with these frames. */
export function createWebm(frames: Frame[]) {
  const header = element(
    '1a45dfa3',
    ...[element('4286', uint16(1)), element('42f7', uint16(1)), element('42f2', uint16(4)), element('42f3', uint16(8))],
    ...[element('4282', Buffer.from('webm')), element('4287', uint16(4)), element('4285', uint16(2))],
  );
  const durationMs = Buffer.alloc(8);
  durationMs.writeDoubleBE(frames.length * FORMAT.frameMs);
  const info = element('1549a966', element('2ad7b1', Buffer.from([15, 66, 64])), element('4489', durationMs));
  const size = element('e0', element('b0', uint16(FORMAT.width)), element('ba', uint16(FORMAT.height)));
  const track = [element('d7', uint16(1)), element('73c5', uint16(1)), element('83', uint16(1))];
  const tracks = element('1654ae6b', element('ae', ...track, element('86', Buffer.from('V_VP8')), size));
  const blocks = frames.map(({ data, isKey }, index) => {
    const [trackNumber, flags] = [Buffer.from([0x81]), Buffer.from([isKey ? 0x80 : 0])];
    return element('a3', trackNumber, uint16(index * FORMAT.frameMs), flags, Buffer.from(data, 'base64'));
  });
  const cluster = element('1f43b675', element('e7', uint16(0)), ...blocks);
  return Buffer.concat([header, element('18538067', info, tracks, cluster)]);
}

/**
 * Makes a film of two seconds: a red light that moves over blue.
 * @param url Of a page whose origin is secure: only there the browser encodes.
 */
export async function makeFilm(browser: Browser, url: string): Promise<Buffer> {
  const page = await browser.newPage();
  await page.goto(url);
  const frames = await page.evaluate(async ({ width, height, frameMs }) => {
    const frames: Frame[] = [];
    const encoder = new VideoEncoder({
      output(chunk) {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        frames.push({ data: btoa(String.fromCharCode(...bytes)), isKey: chunk.type === 'key' });
      },
      error: (error) => console.error(error),
    });
    encoder.configure({ codec: 'vp8', width, height, bitrate: 1_000_000 });
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    for (let index = 0; index < 20; index += 1) {
      const x = width * (0.2 + 0.6 * (index / 20));
      const light = context.createRadialGradient(x, height * 0.7, 0, x, height * 0.7, height / 2);
      light.addColorStop(0, '#e33');
      light.addColorStop(1, '#e330');
      for (const fill of ['#124', light]) {
        context.fillStyle = fill;
        context.fillRect(0, 0, width, height);
      }
      const frame = new VideoFrame(canvas, { timestamp: index * frameMs * 1000 });
      encoder.encode(frame, { keyFrame: index % 10 === 0 });
      frame.close();
    }
    await encoder.flush();
    return frames;
  }, FORMAT);
  await page.close();
  return createWebm(frames);
}
