// Draws the pictures of the content: ferns as vector shapes, stored as WebP. Run: node sites/frond/pictures.mjs
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const FOLDER = join(import.meta.dirname, 'content/media');
const PAPER = '#f1f4e8';
const INK = { deep: '#143f2b', leaf: '#2a7350', middle: '#6ba182', pale: '#b4d2bd', mist: '#d7e7d8' };
const WIDTHS = [480, 960, 1440];

/**
 * Where a stem or leaf begins, and its form. Lengths are pixels, angles are radians.
 * @typedef {object} Place
 * @property {number} x
 * @property {number} y
 * @property {number} angle 0 is up.
 * @property {number} length
 * @property {number} [curve] By how much the angle has changed at the tip.
 */

/** A point of an SVG path. @param {number} x @param {number} y */
const formatPoint = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/**
 * Computes the line of a stem.
 * @param {Place} place
 * @returns {(share: number) => { x: number, y: number, angle: number }} Returns the point at a share of its length, 0 to 1.
 */
function traceStem({ x, y, angle, length, curve = 0 }) {
  const STEPS = 60;
  const points = [{ x, y, angle }];
  for (let step = 1; step <= STEPS; step += 1) {
    const { x, y } = points[step - 1] ?? { x: 0, y: 0 };
    const at = angle + curve * (step / STEPS) ** 1.4;
    points.push({ x: x + (Math.sin(at) * length) / STEPS, y: y - (Math.cos(at) * length) / STEPS, angle: at });
  }
  return (share) => points[Math.round(share * STEPS)] ?? { x, y, angle };
}

/** Draws a stem as an SVG path. @param {Place} place @param {number} footWidth @param {number} tipWidth */
function drawStem(place, footWidth, tipWidth) {
  const at = traceStem(place);
  const sides = [-1, 1].map((side) =>
    Array.from({ length: 21 }, (_, index) => {
      const share = index / 20;
      const { x, y, angle } = at(share);
      const offset = ((footWidth + (tipWidth - footWidth) * share) / 2) * side;
      return formatPoint(x + Math.cos(angle) * offset, y + Math.sin(angle) * offset);
    }),
  );
  return `M${[...(sides[0] ?? []), ...(sides[1] ?? []).reverse()].join('L')}Z`;
}

/** Draws a leaf with a point. @param {Place} place @param {number} breadth Share of its length. */
function drawLeaf(place, breadth) {
  const { x, y, angle, length } = place;
  const pointAt = traceStem(place);
  const tip = pointAt(1);
  /** A control point at one side of the middle line. */
  const controlPoint = (/** @type {number} */ side, /** @type {number} */ share) => {
    const middle = pointAt(share);
    const offset = length * breadth * side;
    return formatPoint(middle.x + Math.cos(angle) * offset, middle.y + Math.sin(angle) * offset);
  };
  return `M${formatPoint(x, y)}C${controlPoint(-1, 0.25)} ${controlPoint(-0.8, 0.7)} ${formatPoint(tip.x, tip.y)}C${controlPoint(0.8, 0.7)} ${controlPoint(1, 0.25)} ${formatPoint(x, y)}Z`;
}

/** Length of a leaf at a share of the stem: short at the foot, longest at a third, none at the tip. */
const leafLengthAt = (/** @type {number} */ share) => Math.min(1, 0.45 + share * 1.9) * (1 - share ** 1.7) ** 0.85;

/**
 * Draws a frond with leaves on both sides.
 * @param {Place} place
 * @param {number} pairs Of leaves.
 * @param {number} spread Length of the longest leaf, as a share of the frond's.
 * @param {number} breadth Of a leaf, as a share of its length.
 */
function drawFeather(place, pairs, spread, breadth) {
  const at = traceStem(place);
  const leaves = Array.from({ length: pairs }, (_, index) => {
    const share = 0.14 + (0.85 * index) / pairs;
    const { x, y, angle } = at(share);
    const length = Math.max(3, place.length * spread * leafLengthAt(share));
    return [-1, 1].map((side) =>
      drawLeaf({ x, y, angle: angle + side * (1.25 - 0.5 * share), length, curve: -side * 0.35 }, breadth),
    );
  });
  return [
    drawStem(place, place.length * 0.012, 1),
    ...leaves.flat(),
    drawLeaf({ ...at(0.97), length: place.length * 0.04 }, 0.2),
  ].join('');
}

/** Draws a frond whose leaves are fronds. @param {Place} place */
function drawFern(place) {
  const [pairs, spread] = [16, 0.33];
  const at = traceStem(place);
  const leaves = Array.from({ length: pairs }, (_, index) => {
    const share = 0.16 + (0.82 * index) / pairs;
    const { x, y, angle } = at(share);
    const length = Math.max(4, place.length * spread * leafLengthAt(share));
    return [-1, 1].map((side) =>
      drawFeather(
        { x, y, angle: angle + side * (1.2 - 0.45 * share), length, curve: -side * 0.4 },
        Math.max(5, Math.round((length / place.length) * 60)),
        0.17,
        0.15,
      ),
    );
  });
  return [
    drawStem(place, place.length * 0.014, 1.5),
    ...leaves.flat(),
    drawFeather({ ...at(0.96), length: place.length * 0.06 }, 7, 0.25, 0.3),
  ].join('');
}

/** Draws a leaf like a fan, with a wavy edge. @param {number} x @param {number} y @param {number} angle @param {number} size */
function drawFan(x, y, angle, size) {
  const edge = Array.from({ length: 13 }, (_, index) => {
    const at = angle - 0.95 + (1.9 * index) / 12;
    const radius = size * (index % 4 === 2 ? 0.9 : 1);
    return formatPoint(x + Math.sin(at) * radius, y - Math.cos(at) * radius);
  });
  return `M${formatPoint(x, y)}L${edge.join('L')}Z`;
}

/**
 * Draws maidenhair: thin stems with fans.
 * @param {Place} place
 * @param {number} size Of a fan.
 * @param {0 | 1} [depth] 1: a stem with smaller stems, 0: one with fans.
 * @returns {{ stems: string, fans: string }}
 */
function drawMaidenhair(place, size, depth = 1) {
  const at = traceStem(place);
  const parts = { stems: drawStem(place, depth ? 5 : 2.5, 1), fans: '' };
  const count = depth ? 7 : 5;
  for (let index = 0; index < count; index += 1) {
    const share = (depth ? 0.3 : 0.2) + ((depth ? 0.68 : 0.78) * index) / count;
    const { x, y, angle } = at(share);
    for (const side of [-1, 1]) {
      const out = angle + side * (1.05 - 0.4 * share);
      if (depth) {
        const more = drawMaidenhair(
          { x, y, angle: out, length: place.length * 0.46 * (1.12 - share), curve: -side * 0.5 },
          size * (1.05 - share * 0.4),
          0,
        );
        parts.stems += more.stems;
        parts.fans += more.fans;
      } else
        parts.fans += drawFan(
          x + Math.sin(out) * size * 0.25,
          y - Math.cos(out) * size * 0.25,
          out,
          size * (1.05 - share * 0.35),
        );
    }
  }
  const { x, y, angle } = at(1);
  parts.fans += drawFan(x, y, angle, size * 0.7);
  return parts;
}

/** Draws a young frond, rolled up. @param {number} x Of its foot. @param {number} y @param {number} height @param {number} side 1: to the right, -1: to the left. */
function drawCrozier(x, y, height, side) {
  const radius = height * 0.2;
  const [cx, cy] = [x + side * radius * 0.2, y - height + radius];
  const line = [
    [x, y],
    [x - side * height * 0.05, y - height * 0.4],
  ];
  const TURNS = 2.3;
  for (let step = 0; step <= 90; step += 1) {
    const at = (step / 90) * TURNS * 2 * Math.PI;
    const reach = radius * (1 - step / 96) ** 1.15;
    line.push([cx - side * Math.cos(at) * reach, cy - Math.sin(at) * reach]);
  }
  const buds = line.slice(3, -8).flatMap(([px = 0, py = 0], index) => {
    if (index % 3) return [];
    const at = (index / 90) * TURNS * 2 * Math.PI;
    const size = radius * 0.3 * (1 - index / 110);
    return drawLeaf(
      { x: px, y: py, angle: side * (at - Math.PI / 2) + side * 0.5, length: size, curve: side * 0.6 },
      0.34,
    );
  });
  return { line: `M${line.map(([px = 0, py = 0]) => formatPoint(px, py)).join('L')}`, buds: buds.join('') };
}

/** @param {string} d SVG path. @param {string} fill @param {number} [opacity] */
const drawShape = (d, fill, opacity = 1) => `<path d="${d}" fill="${fill}" opacity="${opacity}"/>`;

/** @param {number} width @param {number} height @param {string} content @param {string} [ground] */
const wrapSvg = (width, height, content, ground = PAPER) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><defs><linearGradient id="air" x2="0" y2="1"><stop offset="0" stop-color="#fbfcf6"/><stop offset=".55" stop-color="#f0f5ea"/><stop offset="1" stop-color="#d3e5d5"/></linearGradient><radialGradient id="light" cx=".5" cy=".1" r=".9"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><path d="M0 0h${width}v${height}H0z" fill="${ground}"/>${content}</svg>`;

/** Draws the ribs and panes of a glass roof. @param {number} width @param {number} height */
function drawRoof(width, height) {
  const [x, top] = [width / 2, -height * 0.12];
  const ribs = Array.from({ length: 13 }, (_, index) => {
    const side = (index - 6) / 6;
    return `M${formatPoint(x + side * width * 0.05, top)}Q${formatPoint(x + side * width * 0.62, height * 0.12)} ${formatPoint(x + side * width * 0.78, height)}`;
  });
  const rings = [0.2, 0.34, 0.5, 0.68].map(
    (share) =>
      `M${formatPoint(-width * 0.1, height * (share + 0.1))}Q${formatPoint(x, height * (share - 0.16))} ${formatPoint(width * 1.1, height * (share + 0.1))}`,
  );
  return `<path d="${[...ribs, ...rings].join('')}" fill="none" stroke="${INK.pale}" stroke-opacity=".42" stroke-width="${width / 900}"/>`;
}

/** Draws three layers of fronds under a glass roof. @param {number} width @param {number} height @param {readonly string[]} fills Of the layers, the farthest first. */
function drawHero(width, height, fills) {
  // Fronds of an upright picture are larger, because it is narrow.
  const unit = width > height ? width / 1700 : width / 950;
  /** @type {(x: number, angle: number, length: number, curve: number, depth?: number) => Place} */
  const place = (x, angle, length, curve, depth = 0.04) => ({
    x: x * width,
    y: height * (1 + depth),
    angle,
    length: length * unit,
    curve,
  });
  const far = [
    place(0.1, 0, 700, 0.8),
    place(0.34, -0.3, 520, -0.8),
    place(0.5, 0.15, 430, 0.7),
    place(0.68, 0.3, 540, 0.8),
    place(0.9, 0, 740, -0.8),
  ];
  const middle = [
    place(-0.02, 0.3, 820, 0.9),
    place(0.2, 0.5, 560, 0.8),
    place(0.84, -0.45, 640, -0.9),
    place(1.03, -0.32, 860, -0.8),
  ];
  const near = [
    place(0.03, 0.75, 720, 0.8, 0.07),
    place(-0.03, -0.05, 700, 0.6, 0.1),
    place(0.98, -0.78, 760, -0.8, 0.08),
    place(1.04, 0, 640, -0.7, 0.1),
  ];
  const layer = (/** @type {Place[]} */ all, /** @type {string} */ fill) => drawShape(all.map(drawFern).join(''), fill);
  return wrapSvg(
    width,
    height,
    `<path d="M0 0h${width}v${height}H0z" fill="url(#air)"/>${drawRoof(width, height)}<path d="M0 0h${width}v${height}H0z" fill="url(#light)" opacity=".7"/>${[far, middle, near].map((all, index) => layer(all, fills[index] ?? INK.leaf)).join('')}`,
  );
}

/** Colours of the layers in the hero. */
const HERO_FILLS = [INK.pale, INK.middle, INK.leaf];
/** Colours behind a form: text over every part of the picture is readable. */
const MIST_FILLS = ['#e3efe2', INK.mist, '#c6deca'];

const PLATE = { width: 1200, height: 1500 };
const drawPlate = (/** @type {string} */ content, ground = PAPER) =>
  wrapSvg(PLATE.width, PLATE.height, content, ground);

const hair = drawMaidenhair({ x: 560, y: 1480, angle: 0.02, length: 1300, curve: 0.28 }, 62);
const crooks = [drawCrozier(620, 1440, 1180, 1), drawCrozier(350, 1440, 760, -1), drawCrozier(880, 1440, 560, 1)];

/** Pictures by name. */
const PICTURES = {
  hero: { width: 1920, height: 1200, drawing: drawHero(1920, 1200, HERO_FILLS) },
  'hero-portrait': { width: 1080, height: 1920, drawing: drawHero(1080, 1920, HERO_FILLS) },
  mist: { width: 1920, height: 1200, drawing: drawHero(1920, 1200, MIST_FILLS) },
  'mist-portrait': { width: 1080, height: 1920, drawing: drawHero(1080, 1920, MIST_FILLS) },
  'male-fern': {
    ...PLATE,
    drawing: drawPlate(drawShape(drawFern({ x: 520, y: 1440, angle: 0.02, length: 1330, curve: 0.3 }), INK.leaf)),
  },
  'harts-tongue': {
    ...PLATE,
    drawing: drawPlate(
      [
        [-0.55, 980, -0.5, INK.middle],
        [0.5, 1020, 0.55, INK.middle],
        [-0.2, 1220, -0.25, INK.leaf],
        [0.2, 1260, 0.3, INK.leaf],
        [0.02, 1000, 0.1, INK.deep],
      ]
        .map(([angle, length, curve, fill]) => {
          const one = { x: 600, y: 1440, angle: Number(angle), length: Number(length), curve: Number(curve) };
          return (
            drawShape(drawLeaf(one, 0.105), String(fill)) +
            drawShape(drawStem({ ...one, length: one.length * 0.93 }, 7, 1.5), PAPER, 0.55)
          );
        })
        .join(''),
    ),
  },
  crozier: {
    ...PLATE,
    drawing: drawPlate(
      crooks
        .map(({ line, buds }, index) => {
          const fill = [INK.leaf, INK.middle, INK.pale][index] ?? INK.leaf;
          return `${drawShape(buds, fill)}<path d="${line}" fill="none" stroke="${fill}" stroke-width="${[26, 18, 14][index]}" stroke-linecap="round" stroke-linejoin="round"/>`;
        })
        .reverse()
        .join(''),
    ),
  },
  'ribbon-fern': {
    ...PLATE,
    drawing: drawPlate(
      drawShape(
        [
          drawFeather({ x: 470, y: 1450, angle: 0.3, length: 1080, curve: 0.5 }, 15, 0.34, 0.07),
          drawFeather({ x: 430, y: 1450, angle: -0.25, length: 900, curve: -0.5 }, 13, 0.34, 0.07),
        ].join(''),
        INK.middle,
      ) + drawShape(drawFeather({ x: 520, y: 1460, angle: 0, length: 1340, curve: 0.16 }, 17, 0.34, 0.065), INK.leaf),
    ),
  },
  maidenhair: {
    ...PLATE,
    drawing: drawPlate(drawShape(hair.stems, '#6ba182') + drawShape(hair.fans, '#8fc2a1'), INK.deep),
  },
};

mkdirSync(FOLDER, { recursive: true });
for (const [name, { width, drawing }] of Object.entries(PICTURES)) {
  const picture = sharp(Buffer.from(drawing), { unlimited: true });
  const save = (/** @type {import('sharp').Sharp} */ image, /** @type {string} */ file) =>
    image.webp({ quality: 82, effort: 6 }).toFile(join(FOLDER, `${file}.webp`));
  await save(picture.clone(), name);
  for (const size of WIDTHS.filter((one) => one < width)) await save(picture.clone().resize(size), `${name}-${size}`);
}
