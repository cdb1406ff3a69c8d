const COLUMNS = ['started', 'content', 'picture', 'file', 'preview', 'doctor'] as const;
type Column = (typeof COLUMNS)[number];

/** Results of one set-up. A check without a result did not run. */
class Row {
  readonly name: string;
  readonly cells: Partial<Record<Column, string>> = {};
  constructor(name: string) {
    this.name = name;
  }

  async timed<T>(column: Column, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    this.cells[column] = 'failed';
    const result = await work();
    this.cells[column] = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    return result;
  }

  async checked(column: Column, check: () => Promise<void>): Promise<void> {
    this.cells[column] = 'failed';
    await check();
    this.cells[column] = 'works';
  }
}

/** Prints which set-up passed which check. */
export class Table {
  readonly #rows: Row[] = [];

  row(name: string): Row {
    const row = new Row(name);
    this.#rows.push(row);
    return row;
  }

  print(): void {
    const width = Math.max(...this.#rows.map(({ name }) => name.length));
    const line = (name: string, cells: string[]) =>
      `  ${name.padEnd(width)}  ${cells.map((cell) => cell.padEnd(8)).join(' ')}`;
    const lines = this.#rows.map(({ name, cells }) =>
      line(
        name,
        COLUMNS.map((column) => cells[column] ?? '–'),
      ),
    );
    console.log(['', line('set-up', [...COLUMNS]), ...lines, ''].join('\n'));
  }
}
