// Lines of equal height through a grid of heights: marching squares, the pieces then strung together.

/**
 * @param heights Row by row, `columns + 1` in each.
 * @param level The height sought, in the grid's own unit.
 * @returns Lines of points in cells, `[column, row]` with fractions; a closed one ends where it begins.
 */
export function contoursAt(heights, columns, rows, level) {
  return strung(pieces(heights, columns, rows, level));
}

/** Where the level crosses the sides of each cell: pairs of points, each named by the side it is on. */
function pieces(heights, columns, rows, level) {
  const at = (column, row) => heights[row * (columns + 1) + column];
  const share = (from, to) => (level - from) / (to - from);
  const found = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [a, b, c, d] = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
      const ends = [];
      if (a > level !== b > level) ends.push({ side: `h${column},${row}`, point: [column + share(a, b), row] });
      if (b > level !== c > level) ends.push({ side: `v${column + 1},${row}`, point: [column + 1, row + share(b, c)] });
      if (d > level !== c > level) ends.push({ side: `h${column},${row + 1}`, point: [column + share(d, c), row + 1] });
      if (a > level !== d > level) ends.push({ side: `v${column},${row}`, point: [column, row + share(a, d)] });
      // Four ends: a saddle, whose two lines pass each other either way.
      for (let end = 0; end + 1 < ends.length; end += 2) found.push([ends[end], ends[end + 1]]);
    }
  return found;
}

/** Joins pieces that share a side of a cell; open lines first, so that none begins in its middle. */
function strung(found) {
  const bySide = new Map();
  for (const piece of found) for (const { side } of piece) bySide.set(side, [...(bySide.get(side) ?? []), piece]);
  const left = new Set(found);
  const follow = (end) => {
    const line = [end.point];
    for (let next = end; ; ) {
      const piece = bySide.get(next.side).find((one) => left.has(one));
      if (!piece) return line;
      left.delete(piece);
      next = piece[0].side === next.side ? piece[1] : piece[0];
      line.push(next.point);
    }
  };
  const lines = [];
  for (const piece of found)
    for (const end of piece) if (left.has(piece) && bySide.get(end.side).length === 1) lines.push(follow(end));
  for (const piece of found) if (left.has(piece)) lines.push(follow(piece[0]));
  return lines;
}
