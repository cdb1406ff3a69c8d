// Finds the road over the pass: the cheapest way, where a steep climb costs more than a detour.
import { CELL, COLUMNS, METRES_PER_PIXEL, ROWS, SUMMIT } from './terrain.mjs';

/** Start of the road in the valley, in pixels of the map. */
const START = [1180, 40];
/** Grade without additional cost: 2 m in 100. */
const FREE_GRADE = 0.02;
/** Additional grade that doubles the cost of a metre. */
const DOUBLE_COST_GRADE = 0.006;

/** Moves to the neighbouring cells, and knight's moves, so that the road has more than eight directions. */
const MOVES = [-2, -1, 0, 1, 2].flatMap((down) =>
  [-2, -1, 0, 1, 2].flatMap((right) => {
    const far = Math.max(Math.abs(down), Math.abs(right));
    const near = Math.min(Math.abs(down), Math.abs(right));
    return far === 1 || (far === 2 && near === 1) ? [[right, down]] : [];
  }),
);

const costPerMetre = (grade) => 1 + (Math.max(0, Math.abs(grade) - FREE_GRADE) / DOUBLE_COST_GRADE) ** 2;

const cellIndex = ([x, y]) => Math.round(y / CELL) * (COLUMNS + 1) + Math.round(x / CELL);

/**
 * Finds the way from the valley to the pass with Dijkstra's algorithm.
 * @param heights From `createHeights()`.
 * @returns Points in pixels of the map.
 */
export function findRoad(heights) {
  const [from, to] = [cellIndex(START), cellIndex(SUMMIT)];
  const costs = new Float64Array(heights.length).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(heights.length).fill(-1);
  const open = createQueue();
  costs[from] = 0;
  open.add(from, 0);
  for (let { item: cell, order } = open.take(); cell !== to; { item: cell, order } = open.take()) {
    if (order > costs[cell]) continue;
    for (const { next, metres } of neighbours(cell)) {
      const cost = costs[cell] + metres * costPerMetre((heights[next] - heights[cell]) / metres);
      if (cost >= costs[next]) continue;
      costs[next] = cost;
      previous[next] = cell;
      open.add(next, cost);
    }
  }
  const road = [];
  for (let cell = to; cell !== -1; cell = previous[cell])
    road.unshift([(cell % (COLUMNS + 1)) * CELL, Math.floor(cell / (COLUMNS + 1)) * CELL]);
  return road;
}

function neighbours(cell) {
  const [column, row] = [cell % (COLUMNS + 1), Math.floor(cell / (COLUMNS + 1))];
  return MOVES.flatMap(([right, down]) => {
    if (column + right < 0 || column + right > COLUMNS || row + down < 0 || row + down > ROWS) return [];
    const metres = Math.hypot(right, down) * CELL * METRES_PER_PIXEL;
    return [{ next: cell + down * (COLUMNS + 1) + right, metres }];
  });
}

/** A binary heap. `take` returns the item with the lowest order. */
function createQueue() {
  const heap = [];
  const swap = (a, b) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  return {
    add(item, order) {
      heap.push({ item, order });
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (heap[parent].order <= heap[at].order) break;
        swap(parent, at);
        at = parent;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        const children = [2 * at + 1, 2 * at + 2].filter((child) => child < heap.length);
        const least = children.reduce((best, child) => (heap[child].order < heap[best].order ? child : best), at);
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}
