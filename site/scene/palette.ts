import { mix, smoothstep, type Vec3 } from './maths.ts';

/** The hour's colours, linear RGB, in the order of `frame.glsl`. */
interface Palette {
  zenith: Vec3;
  /** The sky half way up. */
  middle: Vec3;
  /** The horizon away from the sun, and at the sun. */
  cool: Vec3;
  warm: Vec3;
  disc: Vec3;
  /** Light of the whole sky on the land. */
  ambient: Vec3;
}

type Hour = Record<keyof Palette, number>;

/** Gold, ember, night: the colours at the page's top, middle and end, as sRGB. */
const HOURS: readonly [Hour, Hour, Hour] = [
  { zenith: 0x0b1424, middle: 0x28344e, cool: 0x55566c, warm: 0xcc6a47, disc: 0xffbd88, ambient: 0x3f5272 },
  { zenith: 0x080e1e, middle: 0x1e2340, cool: 0x3a3650, warm: 0xa04848, disc: 0xff8a5c, ambient: 0x343c5c },
  { zenith: 0x03050a, middle: 0x090d16, cool: 0x171e2a, warm: 0x443433, disc: 0x9a86a0, ambient: 0x2a3341 },
];

const linearChannel = (colour: number, shift: number) => (((colour >> shift) & 255) / 255) ** 2.2;

const blendColours = (from: number, to: number, share: number): Vec3 => [
  mix(linearChannel(from, 16), linearChannel(to, 16), share),
  mix(linearChannel(from, 8), linearChannel(to, 8), share),
  mix(linearChannel(from, 0), linearChannel(to, 0), share),
];

/** @param progress The page's progress 0..1: gold at 0, ember at 0.5, night at 1. */
export function paletteAt(progress: number): Palette {
  const [gold, ember, night] = HOURS;
  const [from, to] = progress < 0.5 ? [gold, ember] : [ember, night];
  const share = progress < 0.5 ? smoothstep(0, 0.5, progress) : smoothstep(0.5, 1, progress);
  const colours = Object.entries(from).map(([name, colour]) => [
    name,
    blendColours(colour, to[name as keyof Palette], share),
  ]);
  return Object.fromEntries(colours);
}
