import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Picture } from '../../types.ts';
import { createPictureSampler, SAMPLE_SIZE } from './samples.ts';

const png = (red: number, width = 40) =>
  sharp({ create: { width, height: 30, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer();

const picture = (src: string, sources: Picture['sources'] = []): Picture => ({
  ...{ src, alt: '', width: 1920, height: 1200, sources },
});

/** A library with these files. @returns The paths that were requested, and the sampler. */
function library(files: Record<string, Uint8Array>) {
  const asked: string[] = [];
  const pictures = createPictureSampler(async (path) => {
    asked.push(path);
    const file = files[path];
    return file ? new Response(new Uint8Array(file)) : null;
  });
  return { asked, pictures };
}

test('a picture is reduced to a square of colours, from its smallest sufficient file, and read once', async () => {
  const sources = [100, 320, 640].map((width) => ({ src: `/media/a-${width}.png`, width }));
  const { asked, pictures } = library({ '/media/a-320.png': await png(200) });
  const of = () => pictures.sample([picture('/media/a.png', sources), picture('/media/a.png', sources)]);
  const sample = (await of()).get('/media/a.png');
  expect(sample).toHaveLength(SAMPLE_SIZE * SAMPLE_SIZE * 3);
  expect([...(sample?.subarray(0, 6) ?? [])]).toEqual([200, 0, 0, 200, 0, 0]);
  await of();
  expect(asked).toEqual(['/media/a-320.png']);
});

test('a picture is read again after its file has changed', async () => {
  const files = { '/media/a.png': await png(200) };
  const { pictures } = library(files);
  const redOf = async () => (await pictures.sample([picture('/media/a.png')])).get('/media/a.png')?.[0];
  expect(await redOf()).toBe(200);
  files['/media/a.png'] = await png(10);
  expect(await redOf()).toBe(200);
  pictures.clear();
  expect(await redOf()).toBe(10);
});

test('missing files, files that are not pictures, and drawings are left out, and the others stay', async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  const { pictures } = library({
    '/media/good.png': await png(10),
    '/media/text.png': Buffer.from('no picture'),
    '/media/drawing.svg': Buffer.from(drawing),
  });
  const all = ['good.png', 'text.png', 'drawing.svg', 'missing.png'].map((name) => picture(`/media/${name}`));
  expect([...(await pictures.sample(all)).keys()]).toEqual(['/media/good.png']);
});

test('of 1,000 pictures in a draft, 2 are read at once, 100 wait, and the others are left out', async () => {
  const { asked, pictures } = library({});
  await pictures.sample(Array.from({ length: 1_000 }, (_, at) => picture(`/media/${at}.png`)));
  expect(asked).toHaveLength(102);
});
