import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { addGauge, addTotal } from './figures.ts';

/** Interval at which the event loop's delay is sampled, in milliseconds. Costs less than 0.1% of a core. */
const RESOLUTION_MS = 20;

const NANOSECONDS_PER_SECOND = 1e9;

/**
 * Metrics of the process, under the names that Node dashboards use. Not `collectDefaultMetrics` of prom-client, which counts
 * the timer's own interval as delay of the event loop.
 */
export function addProcessMetrics(registers: Registry[]): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();

  const gauge = (name: string, help: string, value: () => number) => addGauge(registers, name, help, value);
  /** Delay beyond the timer's interval. `NaN` before the first sample. */
  const delaySeconds = (nanoseconds: number) =>
    Math.max(0, (nanoseconds || 0) / NANOSECONDS_PER_SECOND - RESOLUTION_MS / 1000);

  gauge('nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop since the last scrape.', () =>
    delaySeconds(delay.mean),
  );
  gauge('nodejs_eventloop_lag_p99_seconds', '99% of the delays since the last scrape are shorter.', () =>
    delaySeconds(delay.percentile(99)),
  );
  // Collected in this order: the last of the three resets the samples.
  gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay since the last scrape.', () => {
    const longest = delaySeconds(delay.max);
    delay.reset();
    return longest;
  });
  gauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Used heap memory.', () => process.memoryUsage().heapUsed);
  addTotal(registers, 'process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const startedAt = Date.now() / 1000 - process.uptime();
  gauge('process_start_time_seconds', 'When the process started, in epoch seconds.', () => startedAt);
}
