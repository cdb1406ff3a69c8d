// Simplifies and smooths a line of points before it is drawn.

const distance = ([x, y], [otherX, otherY]) => Math.hypot(otherX - x, otherY - y);

/** Distance of a point from the straight line between two others. */
function distanceFromLine([x, y], from, to) {
  const length = distance(from, to);
  if (length === 0) return distance([x, y], from);
  return Math.abs((to[0] - from[0]) * (from[1] - y) - (from[0] - x) * (to[1] - from[1])) / length;
}

export const lineLength = (line) => line.reduce((sum, point, at) => sum + (at ? distance(line[at - 1], point) : 0), 0);

/** Removes points that change the line by at most `tolerance`, in the unit of the points (Douglas and Peucker). */
export function simplifyLine(line, tolerance) {
  if (line.length < 3) return line;
  const [first, last] = [line[0], line.at(-1)];
  let farthest = 0;
  let split = 0;
  for (let at = 1; at < line.length - 1; at++) {
    const offset = distanceFromLine(line[at], first, last);
    if (offset > farthest) [farthest, split] = [offset, at];
  }
  if (farthest <= tolerance) return [first, last];
  return [
    ...simplifyLine(line.slice(0, split + 1), tolerance).slice(0, -1),
    ...simplifyLine(line.slice(split), tolerance),
  ];
}

/** Replaces each point by the weighted mean of itself and its neighbours. The ends stay. */
export function smoothLine(line, times) {
  let points = line;
  for (let turn = 0; turn < times; turn++)
    points = points.map((point, at) => {
      const [before, after] = [points[at - 1], points[at + 1]];
      return before && after ? point.map((value, axis) => (before[axis] + 2 * value + after[axis]) / 4) : point;
    });
  return points;
}

/**
 * An SVG path that bends at every point: the points are the handles of quadratic curves that meet halfway between them.
 * Relative whole numbers, because they are the shortest.
 */
export function curvePath(line) {
  const roundPoint = ([x, y]) => [Math.round(x), Math.round(y)];
  let pen = roundPoint(line[0]);
  let path = `M${pen.join(' ')}`;
  const relativePoint = (point) => `${point[0] - pen[0]} ${point[1] - pen[1]}`;
  for (let at = 1; at < line.length - 1; at++) {
    const handle = roundPoint(line[at]);
    const isLast = at === line.length - 2;
    const next = line[at + 1];
    const end = roundPoint(isLast ? next : [(line[at][0] + next[0]) / 2, (line[at][1] + next[1]) / 2]);
    path += `q${relativePoint(handle)} ${relativePoint(end)}`;
    pen = end;
  }
  if (line.length === 2) path += `l${relativePoint(roundPoint(line[1]))}`;
  return path.replaceAll(' -', '-');
}
