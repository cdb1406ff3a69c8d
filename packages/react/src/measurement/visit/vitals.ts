import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import {
  type CLSMetricWithAttribution,
  type FCPMetricWithAttribution,
  type INPMetricWithAttribution,
  type LCPMetricWithAttribution,
  onCLS,
  onFCP,
  onINP,
  onLCP,
  onTTFB,
  type TTFBMetricWithAttribution,
} from 'web-vitals/attribution';

type Metric =
  | CLSMetricWithAttribution
  | FCPMetricWithAttribution
  | INPMetricWithAttribution
  | LCPMetricWithAttribution
  | TTFBMetricWithAttribution;

/** One measured figure and what it was measured on: flat, and nothing that tells one visitor from another. */
type Vital = Record<string, string | number | boolean | null>;

/** The stretches that a figure is made of: an engineer looks at the longest one first. */
const PARTS = {
  LCP: ['timeToFirstByte', 'resourceLoadDelay', 'resourceLoadDuration', 'elementRenderDelay'],
  INP: ['inputDelay', 'processingDuration', 'presentationDelay'],
  CLS: [],
  FCP: ['timeToFirstByte', 'firstByteToFCP'],
  TTFB: ['waitingDuration', 'cacheDuration', 'dnsDuration', 'connectionDuration', 'requestDuration'],
} as const satisfies Record<Metric['name'], readonly string[]>;

/** What made the figure what it is: the element by its selector, and the longest part of the time. */
function causeOf({ name, attribution }: Metric): Vital {
  const about: Record<string, unknown> = { ...attribution };
  const target = about.target ?? about.interactionTarget ?? about.largestShiftTarget;
  const parts = PARTS[name].map((part) => [part, Number(about[part])] as const).sort(([, a], [, b]) => b - a);
  const [part, ms] = parts[0] ?? [null, null];
  return { target: target === undefined ? null : String(target), part, partMs: ms && Math.round(ms) };
}

/** A rough class of device: by memory (in GiB, where the browser says) and cores. */
function deviceTier(): 'low' | 'middle' | 'high' {
  const { hardwareConcurrency: cores = 4, deviceMemory: memory = 8 } = navigator as Navigator & {
    deviceMemory?: number;
  };
  if (cores <= 2 || memory <= 2) return 'low';
  return cores >= 8 && memory >= 8 ? 'high' : 'middle';
}

/**
 * Measures the page as this visitor has it: LCP, INP, CLS, FCP and TTFB, each with its cause. They are of the document:
 * a page that is shown without loading one brings no new ones, and each is told once, the first time it is final
 * (after a return from the back/forward cache anew).
 * @param path Of the page whose document was loaded, without query.
 */
export function watchVitals({ mixer }: Engines, path: string, told: (vital: Vital) => void): void {
  const done = new Set<string>();
  const tell = (metric: Metric) => {
    if (done.has(metric.id)) return;
    done.add(metric.id);
    const { name, value, rating, navigationType } = metric;
    const { state } = mixer;
    told({
      metric: name,
      // CLS has no unit, all else is in milliseconds.
      value: name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value),
      rating,
      path,
      navigation: navigationType,
      tier: deviceTier(),
      sound: state().name === 'playing',
      calm: isCalm(),
      ...causeOf(metric),
    });
  };
  for (const on of [onLCP, onINP, onCLS, onFCP, onTTFB]) on(tell);
}
