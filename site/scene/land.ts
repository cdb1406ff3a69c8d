import { HEIGHT_UNIT, LIGHT_DIRECTION, LIGHT_UNIT } from './bakes.ts';
import { bindAttribute, createBuffer, type Gl, type Program } from './gl.ts';

/** The grid moves with the camera in steps of this size, so that distant vertices keep their places. In metres. */
const GRID_STEP_M = 16;

/** Density of the rows: distance ahead in metres, and spacing up to there. Every spacing divides `GRID_STEP_M`. */
const ROWS = {
  fine: [
    [192, 2],
    [512, 8],
    [1376, 8],
  ],
  coarse: [
    [64, 2],
    [192, 4],
    [512, 8],
    [1376, 16],
  ],
} as const;
const COLUMNS = { fine: 256, coarse: 144 } as const;

type Detail = keyof typeof ROWS;

/** Distances of all rows of vertices, nearest first, so that near triangles hide those behind them. */
export function rowDistances(detail: Detail): number[] {
  const rows: number[] = [];
  let z = -GRID_STEP_M;
  for (const [end, spacing] of ROWS[detail]) for (; z < end; z += spacing) rows.push(z);
  return rows;
}

/** Land and road: one grid of about 129,000 triangles (56,000 if coarse), moved by one uniform. */
export function createLand(gl: Gl, { use, uniform }: Program, detail: Detail): { draw(eyeZ: number): void } {
  const rows = rowDistances(detail);
  const columns = COLUMNS[detail];
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  createBuffer(gl, createVertices(rows, columns));
  bindAttribute(gl, 0, 2);
  const indices = createTriangleIndices(rows.length, columns);
  createBuffer(gl, indices, gl.ELEMENT_ARRAY_BUFFER);

  use();
  gl.uniform1i(uniform('uHeight'), HEIGHT_UNIT);
  gl.uniform1i(uniform('uLight'), LIGHT_UNIT);
  gl.uniform3fv(uniform('uLit'), LIGHT_DIRECTION);

  return {
    draw(eyeZ) {
      use();
      gl.uniform1f(uniform('uBase'), Math.floor(eyeZ / GRID_STEP_M) * GRID_STEP_M);
      gl.bindVertexArray(vertexArray);
      gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, 0);
    },
  };
}

function createVertices(rows: readonly number[], columns: number): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(rows.length * columns * 2);
  let i = 0;
  for (const z of rows) {
    for (let column = 0; column < columns; column++) {
      positions[i++] = (column / (columns - 1)) * 2 - 1;
      positions[i++] = z;
    }
  }
  return positions;
}

/** Two triangles per cell. 16-bit indices reach 65,536 vertices, enough for the finest grid. */
function createTriangleIndices(rows: number, columns: number): Uint16Array<ArrayBuffer> {
  const indices = new Uint16Array((rows - 1) * (columns - 1) * 6);
  let i = 0;
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const near = row * columns + column;
      const far = near + columns;
      indices[i++] = near;
      indices[i++] = far;
      indices[i++] = near + 1;
      indices[i++] = near + 1;
      indices[i++] = far;
      indices[i++] = far + 1;
    }
  }
  return indices;
}
