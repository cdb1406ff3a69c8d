import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metric } from './text.ts';

/** How often the event loop's delay is looked at, in milliseconds: fine enough for a page, and under 0.1% of a core. */
const RESOLUTION_MS = 20;

const NANOSECONDS = 1e9;

/** The process itself, under the names that dashboards for Node know. */
export function createProcessMetrics() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const started = Date.now() / 1000 - process.uptime();

  /** Delays since the last time somebody asked; the look's own rhythm is none. */
  function delays(): string {
    const seconds = (nanoseconds: number) =>
      // Nothing was seen yet: not a number.
      Math.max(0, (nanoseconds || 0) / NANOSECONDS - RESOLUTION_MS / 1000);
    const [mean, p99, max] = [delay.mean, delay.percentile(99), delay.max].map(seconds) as [number, number, number];
    delay.reset();
    return [
      metric('nodejs_eventloop_lag_mean_seconds', 'gauge', 'Mean delay of the event loop since the last scrape.', [
        ['', mean],
      ]),
      metric('nodejs_eventloop_lag_p99_seconds', 'gauge', '99% of the delays since the last scrape are shorter.', [
        ['', p99],
      ]),
      metric('nodejs_eventloop_lag_max_seconds', 'gauge', 'Longest delay since the last scrape.', [['', max]]),
    ].join('');
  }

  return {
    render(): string {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return [
        delays(),
        metric('process_resident_memory_bytes', 'gauge', 'Memory the process holds.', [['', rss]]),
        metric('nodejs_heap_size_used_bytes', 'gauge', 'Memory that objects use.', [['', heapUsed]]),
        metric('process_cpu_seconds_total', 'counter', 'Processor time used.', [['', (user + system) / 1e6]]),
        metric('process_start_time_seconds', 'gauge', 'When the process started, in epoch seconds.', [['', started]]),
      ].join('');
    },
  };
}
