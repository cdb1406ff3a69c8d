// Stills of the machine: rendered by Blender, denoised, with a glow around bright parts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { writeOutput } from '../lib/output.mjs';
import { MEDIA, ROOT } from '../lib/places.mjs';
import { runTool } from '../lib/tools.mjs';

/** Light paths per pixel. Debian's Blender has no denoiser: with 200 a median removes the grain. Six minutes each. */
const SAMPLES = Number(process.env.SAMPLES ?? 200);

/** @property glow Minimum brightness (0..255), radius in pixels, and strength. */
const STILLS = [
  { name: 'wheel', width: 1440, height: 1620, glow: { from: 110, reach: 20, strength: 1.6 }, quality: 70 },
  { name: 'lamp', width: 1440, height: 1800, glow: { from: 120, reach: 34, strength: 1.9 }, quality: 86 },
];

/**
 * The parts that are brighter than `from`, blurred and coloured; black elsewhere. In three runs, because sharp applies
 * only the last of two `linear`.
 * @param tint Shares of red, green, blue.
 */
async function createGlow(picture, { from, strength }, reach, tint) {
  const bright = await sharp(picture)
    .linear(strength, -from * strength)
    .png()
    .toBuffer();
  const blurred = await sharp(bright).blur(reach).png().toBuffer();
  return sharp(blurred).linear(tint, [0, 0, 0]).png().toBuffer();
}

/** Adds a narrow warm glow and a wide one, with blend mode `screen`. @param rendered A picture or its path. */
export async function addGlow(rendered, glow) {
  const clean = await sharp(rendered).removeAlpha().median(3).png().toBuffer();
  const near = await createGlow(clean, glow, glow.reach, [1, 0.62, 0.36]);
  const far = await createGlow(clean, glow, glow.reach * 3.2, [0.9, 0.45, 0.22]);
  return sharp(clean)
    .composite([
      { input: near, blend: 'screen' },
      { input: far, blend: 'screen' },
    ])
    .png()
    .toBuffer();
}

/** Renders one still, or uses `<RENDERED>/<name>.png` if that environment variable names a folder. */
async function renderStill(folder, { name, width, height }) {
  if (process.env.RENDERED) return join(process.env.RENDERED, `${name}.png`);
  const file = join(folder, `${name}.png`);
  const script = join(ROOT, 'site/assets/machine/machines.py');
  await runTool(
    'blender',
    ['-b', '--factory-startup', '-P', script, '--', name, file, width, height, SAMPLES].map(String),
  );
  return file;
}

export async function build(report) {
  const folder = await mkdtemp(join(tmpdir(), 'pillion-machine-'));
  try {
    for (const still of STILLS) {
      report(`${still.name}: ${SAMPLES} samples, takes minutes`);
      const picture = await addGlow(await renderStill(folder, still), still.glow);
      const webp = await sharp(picture).webp({ quality: still.quality, effort: 6, smartSubsample: true }).toBuffer();
      await writeOutput(join(MEDIA, `${still.name}.webp`), webp, report);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
