import { Counter, Gauge, type Registry } from 'prom-client';

/** Figures of the page cache. */
export interface PageCacheFigures {
  /** Pages and shells. */
  pages: { count: number; bytes: number };
  /** Redirects and paths without a page. */
  unbounded: { count: number; bytes: number };
  /** Responses since the start, by result. */
  byStatus: Record<string, number>;
}

/** Adds the figures of the page cache. They are read at each scrape. */
export function addPageCacheMetrics(registers: Registry[], figures: () => PageCacheFigures): void {
  new Counter({
    name: 'pillion_page_cache_responses_total',
    help: 'Pages and redirects by cache status: hit, stale, miss, collapsed.',
    labelNames: ['status'],
    registers,
    collect() {
      this.reset();
      for (const [status, count] of Object.entries(figures().byStatus)) this.inc({ status }, count);
    },
  });
  const gauge = (name: string, help: string, of: (responses: PageCacheFigures['pages']) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['of'],
      registers,
      collect() {
        const { pages, unbounded } = figures();
        this.set({ of: 'pages' }, of(pages));
        this.set({ of: 'redirects-and-not-found' }, of(unbounded));
      },
    });
  gauge('pillion_page_cache_bytes', 'Size of the cached responses in bytes.', ({ bytes }) => bytes);
  gauge('pillion_page_cache_entries', 'Number of cached responses.', ({ count }) => count);
}
