// Stills of the machine: rendered by Blender, cleaned, given the glow that a lens gives to what is bright.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { MEDIA, ROOT } from '../lib/places.mjs';
import { tool } from '../lib/tools.mjs';
import { written } from '../lib/written.mjs';

/** Light paths a pixel. Debian's Blender has no denoiser; 200 leave a grain that the median takes. Six minutes each. */
const SAMPLES = Number(process.env.SAMPLES ?? 200);

/** @property glow What of the picture shines: from which brightness (0..255), how far (pixels), how strongly. */
const STILLS = [
  { name: 'wheel', width: 1440, height: 1620, glow: { from: 110, reach: 20, strength: 1.6 }, quality: 70 },
  { name: 'lamp', width: 1440, height: 1800, glow: { from: 120, reach: 34, strength: 1.9 }, quality: 86 },
];

/**
 * The parts that are brighter than `from`, blurred and coloured; black elsewhere. It takes three runs, because one run of
 * sharp has a fixed order and keeps only the last of two `linear`.
 * @param tint Shares of red, green, blue.
 */
async function shine(picture, { from, strength }, reach, tint) {
  const bright = await sharp(picture)
    .linear(strength, -from * strength)
    .png()
    .toBuffer();
  const blurred = await sharp(bright).blur(reach).png().toBuffer();
  return sharp(blurred).linear(tint, [0, 0, 0]).png().toBuffer();
}

/** A narrow warm glow and a wide one, laid on as light is: by screen. @param rendered A picture or its path. */
export async function developed(rendered, glow) {
  const clean = await sharp(rendered).removeAlpha().median(3).png().toBuffer();
  const near = await shine(clean, glow, glow.reach, [1, 0.62, 0.36]);
  const far = await shine(clean, glow, glow.reach * 3.2, [0.9, 0.45, 0.22]);
  return sharp(clean)
    .composite([
      { input: near, blend: 'screen' },
      { input: far, blend: 'screen' },
    ])
    .png()
    .toBuffer();
}

/** Renders one still, or takes `<RENDERED>/<name>.png` where that environment variable names a folder of renders. */
async function rendered(folder, { name, width, height }) {
  if (process.env.RENDERED) return join(process.env.RENDERED, `${name}.png`);
  const file = join(folder, `${name}.png`);
  const script = join(ROOT, 'site/assets/machine/machines.py');
  await tool(
    'blender',
    ['-b', '--factory-startup', '-P', script, '--', name, file, width, height, SAMPLES].map(String),
  );
  return file;
}

export async function build(say) {
  const folder = await mkdtemp(join(tmpdir(), 'pillion-machine-'));
  try {
    for (const still of STILLS) {
      say(`${still.name}: ${SAMPLES} samples, takes minutes`);
      const picture = await developed(await rendered(folder, still), still.glow);
      const webp = await sharp(picture).webp({ quality: still.quality, effort: 6, smartSubsample: true }).toBuffer();
      await written(join(MEDIA, `${still.name}.webp`), webp, say);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
