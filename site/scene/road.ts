/** The land repeats after this many metres along the road. Everything placed along the road must repeat with it. */
export const TILE_M = 1536;

/** Metres up or aside, whole waves per tile, phase in radians. */
type Wave = readonly [amplitude: number, perTile: number, phase: number];

const ASIDE_WAVES: readonly Wave[] = [
  [34, 2, 0.6],
  [9, 5, 2],
  [2.2, 11, 0],
];
const HEIGHT_WAVES: readonly Wave[] = [
  [2.6, 3, 1],
  [1.5, 8, 0],
  [0.35, 21, 0],
];

const RADIANS_PER_METRE = (2 * Math.PI) / TILE_M;

const sumWaves = (waves: readonly Wave[], z: number) =>
  waves.reduce(
    (total, [amplitude, perTile, phase]) => total + amplitude * Math.sin(RADIANS_PER_METRE * perTile * z + phase),
    0,
  );

/** Position of the road at `z` metres along: metres to the right of the valley's middle. */
export const roadX = (z: number): number => sumWaves(ASIDE_WAVES, z);

/** Height of the road at `z` metres along, in metres. */
export const roadY = (z: number): number => sumWaves(HEIGHT_WAVES, z);

/** Bend of the road in 1/metre, positive to the right: the change of its slope along the way. */
export const bendAt = (z: number): number =>
  ASIDE_WAVES.reduce((total, [amplitude, perTile, phase]) => {
    const rate = RADIANS_PER_METRE * perTile;
    return total - amplitude * rate * rate * Math.sin(rate * z + phase);
  }, 0);

const glslFloat = (value: number) => (Number.isInteger(value) ? `${value}.` : String(value));

const glslFunction = (name: string, waves: readonly Wave[]) =>
  `float ${name}(float z){return ${waves
    .map(
      ([amplitude, perTile, phase]) =>
        `${glslFloat(amplitude)}*sin(${RADIANS_PER_METRE * perTile}*z+${glslFloat(phase)})`,
    )
    .join('+')};}`;

/** The same road as GLSL, generated from the same numbers. */
export const ROAD_GLSL = `const float TILE=${glslFloat(TILE_M)};\n${glslFunction('roadX', ASIDE_WAVES)}\n${glslFunction('roadY', HEIGHT_WAVES)}\n`;
