import { Counter, Gauge, type Registry } from 'prom-client';

/** A kind of report of browsers. Each member has few values. */
export interface ReportKind {
  type: string;
  directive: string;
  blocked: string;
  route: string;
}

const LABELS = ['type', 'directive', 'blocked', 'route'] as const;

/** Counts what browsers report about pages. @returns A function that counts one report. */
export function addBrowserReportMetrics(registers: Registry[], now: () => number): (kind: ReportKind) => void {
  const reports = new Counter({
    name: 'pillion_browser_reports_total',
    help: 'Reports of browsers, at most one an hour for each network and kind.',
    labelNames: LABELS,
    registers,
  });
  const first = new Gauge({
    name: 'pillion_browser_reports_first_timestamp_seconds',
    help: 'When the first report of a kind came, in epoch seconds.',
    labelNames: LABELS,
    registers,
  });
  const seen = new Set<string>();
  return (kind) => {
    const key = Object.values(kind).join(' ');
    if (!seen.has(key)) first.set({ ...kind }, now() / 1000);
    seen.add(key);
    reports.inc({ ...kind });
  };
}
