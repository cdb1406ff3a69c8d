import { Counter, type Registry } from 'prom-client';

/** A kind of report of browsers. Each member has few values. */
export interface ReportKind {
  type: string;
  directive: string;
  blocked: string;
  route: string;
}

/** Counts what browsers report about pages. @returns A function that counts one report. */
export function addBrowserReportMetrics(registers: Registry[]): (kind: ReportKind) => void {
  const reports = new Counter({
    name: 'pillion_browser_reports_total',
    help: 'Reports of browsers, at most one an hour for each network and kind.',
    labelNames: ['type', 'directive', 'blocked', 'route'],
    registers,
  });
  return (kind) => reports.inc({ ...kind });
}
