import { Counter, Gauge, type Registry } from 'prom-client';

/** Figures of the page cache. */
export interface ReadyFigures {
  /** Pages and shells. */
  pages: { count: number; bytes: number };
  /** Redirects and paths without a page. */
  endless: { count: number; bytes: number };
  /** Responses since the start, by result. */
  ways: Record<string, number>;
}

/** Adds the figures of the page cache. They are read at each scrape. */
export function addReadyMetrics(registers: Registry[], figures: () => ReadyFigures): void {
  new Counter({
    name: 'pillion_ready_answers_total',
    help: 'Pages and redirects by how they were come by: hit, stale, miss, collapsed.',
    labelNames: ['way'],
    registers,
    collect() {
      this.reset();
      for (const [way, count] of Object.entries(figures().ways)) this.inc({ way }, count);
    },
  });
  const gauge = (name: string, help: string, of: (kept: ReadyFigures['pages']) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['of'],
      registers,
      collect() {
        const { pages, endless } = figures();
        this.set({ of: 'pages' }, of(pages));
        this.set({ of: 'redirects-and-not-found' }, of(endless));
      },
    });
  gauge('pillion_ready_bytes', 'Memory taken by what is kept ready.', ({ bytes }) => bytes);
  gauge('pillion_ready_entries', 'How many answers are kept ready.', ({ count }) => count);
}
