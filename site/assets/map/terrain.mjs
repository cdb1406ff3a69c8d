// The fictional terrain around the Hallen Pass, in metres above the sea: noise, shaped into a chain with one low point.

/** Size of the picture in pixels, and view box of the route. */
export const MAP_WIDTH = 1500;
export const MAP_HEIGHT = 938;
/** Side of one cell of the height grid, in pixels of the map. */
export const CELL = 5;
export const COLUMNS = MAP_WIDTH / CELL;
export const ROWS = Math.ceil(MAP_HEIGHT / CELL);
/** Size of one pixel of the map on the ground. The road is then within 2 km of the 48 that the page states. */
export const METRES_PER_PIXEL = 28.5;

/** Lowest point of the chain, in pixels. Right of the middle, because the page's text is on the left. */
const SADDLE = [1020, 690];
/** End of the road: the pass, above the saddle. */
export const SUMMIT = [950, 620];

/** A pseudo-random direction for each point of the grid. @returns Radians. */
function angleAt(column, row) {
  let bits = Math.imul(column, 374761393) ^ Math.imul(row, 668265263) ^ 1911;
  bits = Math.imul(bits ^ (bits >>> 13), 1274126177);
  return (((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32) * 2 * Math.PI;
}

const fade = (share) => share * share * share * (share * (share * 6 - 15) + 10);
const mix = (from, to, share) => from + (to - from) * share;

/** Gradient noise after Perlin: smooth, about -0.7..0.7, 0 at every whole point. */
function noise(x, y) {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const slope = (right, down) => {
    const angle = angleAt(column + right, row + down);
    return Math.cos(angle) * (x - column - right) + Math.sin(angle) * (y - row - down);
  };
  const across = fade(x - column);
  return mix(mix(slope(0, 0), slope(1, 0), across), mix(slope(0, 1), slope(1, 1), across), fade(y - row));
}

/** Sum of layers of noise, each twice as fine and a little under half as strong as the one before. */
function layeredNoise(x, y, count) {
  let sum = 0;
  for (let layer = 0; layer < count; layer++)
    sum += 0.46 ** layer * noise(x * 2 ** layer + layer * 11.3, y * 2 ** layer + layer * 5.7);
  return sum;
}

/**
 * @param x, y Position on the map, in pixels.
 * @returns Height in metres.
 */
function heightAt(x, y) {
  // Distort the position, so that no ridge is straight.
  const bentX = x + 120 * noise(x / 330 + 9, y / 330);
  const bentY = y + 120 * noise(x / 330, y / 330 + 7);
  const [saddleX, saddleY] = SADDLE;
  // The chain runs from left to right through the saddle, and is higher on either side of it.
  const fromChain = (bentY - saddleY - 0.16 * (bentX - saddleX)) / 210;
  const fromSaddle = (bentX - saddleX) / 260;
  const chain = Math.exp(-fromChain * fromChain) * (1150 - 560 * Math.exp(-fromSaddle * fromSaddle));
  // A valley opens towards the north-east, where the road comes from.
  const fromValley = (bentX - saddleX - 190 + 0.34 * (bentY - saddleY)) / 150;
  const valley = 460 * Math.exp(-fromValley * fromValley) * Math.min(1, Math.max(0, (saddleY - bentY) / 420));
  return 980 + chain - valley + 1050 * layeredNoise(bentX / 300, bentY / 300, 4);
}

/** Heights at the corners of all cells, row by row. */
export function createHeights() {
  const heights = new Float32Array((COLUMNS + 1) * (ROWS + 1));
  for (let row = 0; row <= ROWS; row++)
    for (let column = 0; column <= COLUMNS; column++)
      heights[row * (COLUMNS + 1) + column] = heightAt(column * CELL, row * CELL);
  return heights;
}
