export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

interface Family {
  type: string;
  samples: Sample[];
}

const TYPE = /^# TYPE (\S+) (\S+)$/;
const SAMPLE = /^([^#{\s]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** The metrics of a text in Prometheus' format, by name. `monitoring.test.ts` checks the format itself with promtool. */
export function parseMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, metric, type] = TYPE.exec(line) ?? [];
    if (metric !== undefined && type !== undefined) {
      samples = [];
      families.set(metric, { type, samples });
    }
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const pairs = [...labels.matchAll(LABEL)].map(([, key, content]) => [key, content]);
    samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) });
  }
  return families;
}
