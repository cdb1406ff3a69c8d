import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { type MetricWithAttribution, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals/attribution';

/** One measurement with its context: a flat object, without data that identifies a visitor. */
type Vital = Record<string, string | number | boolean | null>;

/** The phases of each metric, in milliseconds, as `web-vitals` names them in its attribution. */
const PHASES = {
  LCP: ['timeToFirstByte', 'resourceLoadDelay', 'resourceLoadDuration', 'elementRenderDelay'],
  INP: ['inputDelay', 'processingDuration', 'presentationDelay'],
  CLS: [],
  FCP: ['timeToFirstByte', 'firstByteToFCP'],
  TTFB: ['waitingDuration', 'cacheDuration', 'dnsDuration', 'connectionDuration', 'requestDuration'],
} as const satisfies Record<MetricWithAttribution['name'], readonly string[]>;

/** The cause of a value: the element's selector and the longest phase; `null` if the metric has no such part. */
function findCause({ name, attribution }: MetricWithAttribution): Vital {
  const details: Record<string, unknown> = { ...attribution };
  const target = details.target ?? details.interactionTarget ?? details.largestShiftTarget;
  const phases = PHASES[name].map((phase) => [phase, Number(details[phase])] as const).sort(([, a], [, b]) => b - a);
  const [longest, ms] = phases[0] ?? [null, null];
  return { target: target === undefined ? null : String(target), part: longest, partMs: ms && Math.round(ms) };
}

/** Device class, by memory (in GiB, if the browser reports it) and cores. */
function deviceTier(): 'low' | 'middle' | 'high' {
  const { hardwareConcurrency: cores = 4, deviceMemory: memory = 8 } = navigator as Navigator & {
    deviceMemory?: number;
  };
  if (cores <= 2 || memory <= 2) return 'low';
  return cores >= 8 && memory >= 8 ? 'high' : 'middle';
}

/**
 * Measures LCP, INP, CLS, FCP and TTFB for this visitor, each with its cause. Each is reported once per page, when it is
 * first final, and again after a return from the back/forward cache. Browsers with the Soft Navigations API also
 * measure pages that are shown without loading a document; in others these have no metrics.
 * @param path Path of the loaded document, without query.
 */
export function watchVitals({ mixer }: Engines, path: string, report: (vital: Vital) => void): void {
  const reportedIds = new Set<string>();
  const reportOnce = (metric: MetricWithAttribution) => {
    if (reportedIds.has(metric.id)) return;
    reportedIds.add(metric.id);
    const { name, value, rating, navigationType, navigationURL } = metric;
    const { state } = mixer;
    report({
      metric: name,
      // CLS has no unit; the other metrics are in milliseconds.
      value: name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value),
      rating,
      path: navigationURL ? new URL(navigationURL).pathname : path,
      navigation: navigationType,
      tier: deviceTier(),
      sound: state().name === 'playing',
      calm: isCalm(),
      ...findCause(metric),
    });
  };
  for (const onMetric of [onLCP, onINP, onCLS, onFCP, onTTFB]) onMetric(reportOnce, { reportSoftNavs: true });
}
