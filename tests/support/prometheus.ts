export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  type: string;
  samples: Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex;
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no label at ${at} of {${text}}`);
    if (name in labels) throw new Error(`label ${name} twice in {${text}}`);
    labels[name] = value;
  }
  return labels;
}

function numberOf(text: string): number {
  const value = Number(text === '+Inf' ? 'Infinity' : text);
  if (Number.isNaN(value)) throw new Error(`${text} is no number`);
  return value;
}

/**
 * Reads Prometheus' text format 0.0.4 as strictly as its description allows: HELP, then TYPE, then the samples of one
 * metric together, no sample twice, histograms complete.
 * @throws At the first invalid line, with that line.
 */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, Family>();
  let helped = '';
  let current = '';
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    // The format's description: empty lines are ignored.
    if (line === '') continue;
    const help = HELP.exec(line);
    const type = TYPE.exec(line);
    const sample = SAMPLE.exec(line);
    if (help) {
      helped = help[1] ?? '';
      if (families.has(helped)) throw new Error(`${helped} comes twice`);
    } else if (type) {
      current = type[1] ?? '';
      if (current !== helped) throw new Error(`${current} has no HELP before it`);
      families.set(current, { type: type[2] ?? '', samples: [] });
    } else if (sample) {
      const [, name = '', labels = '', value = ''] = sample;
      const family = families.get(current);
      const names =
        family?.type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => current + end) : [current];
      if (!family || !names.includes(name)) throw new Error(`${name} stands under ${current}`);
      const key = `${name}{${labels}}`;
      if (seen.has(key)) throw new Error(`${key} comes twice`);
      seen.add(key);
      family.samples.push({ name, labels: labelsOf(labels), value: numberOf(value) });
    } else throw new Error(`no line of the format: ${line}`);
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

/** Buckets grow and end with +Inf, which equals the count. */
function checkHistogram(name: string, { samples }: Family): void {
  const series = Map.groupBy(samples, ({ labels: { le, ...rest } }) => JSON.stringify(rest));
  for (const [labels, own] of series) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    const bounds = buckets.map(({ labels: { le } }) => numberOf(le ?? 'none'));
    const grows = (values: number[]) => values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0));
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && buckets.at(-1)?.value === count;
    const hasSum = own.some((sample) => sample.name === `${name}_sum`);
    if (!isWhole || !hasSum || !grows(bounds) || !grows(buckets.map(({ value }) => value)))
      throw new Error(`the histogram ${name} ${labels} is not whole`);
  }
}
