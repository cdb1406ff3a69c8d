/** One metric in Prometheus' text format. @param samples Value by label, the label with its braces. */
export const metric = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly (readonly [label: string, value: number])[],
): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([label, value]) => `${name}${label} ${value}`),
    '',
  ].join('\n');

/** Samples of one label. */
export const labelled = (label: string, counts: Iterable<[string, number]>): [string, number][] =>
  [...counts].map(([value, count]) => [`{${label}="${value}"}`, count]);

/** Upper bounds in seconds: from a page at hand to one that has waited as long as it may (1.5 s) and longer. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;

/** How long something took, as a distribution. Counting costs a walk over the bounds. */
export function createHistogram() {
  const buckets = BOUNDS.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(seconds: number) {
      const at = BOUNDS.findIndex((bound) => seconds <= bound);
      if (at >= 0) buckets[at] = (buckets[at] ?? 0) + 1;
      sum += seconds;
      count += 1;
    },
    /** Samples without HELP and TYPE. @param label As `route="page"`, or nothing. */
    samples(name: string, label = ''): string {
      const and = label && `${label},`;
      const own = label && `{${label}}`;
      let below = 0;
      const lines = BOUNDS.map((bound, at) => {
        below += buckets[at] ?? 0;
        return `${name}_bucket{${and}le="${bound}"} ${below}`;
      });
      return [
        ...lines,
        `${name}_bucket{${and}le="+Inf"} ${count}`,
        `${name}_sum${own} ${sum}`,
        `${name}_count${own} ${count}`,
        '',
      ].join('\n');
    },
  };
}

export type Histogram = ReturnType<typeof createHistogram>;
