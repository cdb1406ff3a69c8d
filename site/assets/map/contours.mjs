// Finds lines of equal height in a grid of heights: marching squares, then the pieces are joined.

/**
 * @param heights Row by row, `columns + 1` in each.
 * @param level Height of the lines, in the unit of the grid.
 * @returns Lines of points in cells, `[column, row]` with fractions. A closed line ends at its start.
 */
export function findContours(heights, columns, rows, level) {
  return joinPieces(findPieces(heights, columns, rows, level));
}

/** Finds where the level crosses the sides of each cell: pairs of points, each with the name of its side. */
function findPieces(heights, columns, rows, level) {
  const at = (column, row) => heights[row * (columns + 1) + column];
  const share = (from, to) => (level - from) / (to - from);
  const segments = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [a, b, c, d] = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
      const ends = [];
      if (a > level !== b > level) ends.push({ side: `h${column},${row}`, point: [column + share(a, b), row] });
      if (b > level !== c > level) ends.push({ side: `v${column + 1},${row}`, point: [column + 1, row + share(b, c)] });
      if (d > level !== c > level) ends.push({ side: `h${column},${row + 1}`, point: [column + share(d, c), row + 1] });
      if (a > level !== d > level) ends.push({ side: `v${column},${row}`, point: [column, row + share(a, d)] });
      // Four ends: a saddle, in which two lines do not cross.
      for (let end = 0; end + 1 < ends.length; end += 2) segments.push([ends[end], ends[end + 1]]);
    }
  return segments;
}

/** Joins pieces that share a side of a cell. Open lines first, so that each begins at its end. */
function joinPieces(segments) {
  const bySide = new Map();
  for (const piece of segments) for (const { side } of piece) bySide.set(side, [...(bySide.get(side) ?? []), piece]);
  const remaining = new Set(segments);
  const followLine = (end) => {
    const line = [end.point];
    for (let next = end; ; ) {
      const piece = bySide.get(next.side).find((one) => remaining.has(one));
      if (!piece) return line;
      remaining.delete(piece);
      next = piece[0].side === next.side ? piece[1] : piece[0];
      line.push(next.point);
    }
  };
  const lines = [];
  for (const piece of segments)
    for (const end of piece) if (remaining.has(piece) && bySide.get(end.side).length === 1) lines.push(followLine(end));
  for (const piece of segments) if (remaining.has(piece)) lines.push(followLine(piece[0]));
  return lines;
}
