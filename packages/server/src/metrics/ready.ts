import { Counter, Gauge, type Registry } from 'prom-client';

/** What is kept ready, and how it was come by. */
export interface ReadyFigures {
  /** Pages and what stands around them. */
  pages: { count: number; bytes: number };
  /** Redirects and paths that lead nowhere. */
  endless: { count: number; bytes: number };
  /** Answers since the start, by way. */
  ways: Record<string, number>;
}

/** Adds the figures of what is kept ready, read when somebody asks for them. */
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
