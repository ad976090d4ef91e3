type Sample = { name: string; labels: Record<string, string>; value: number };

type MetricsPage = {
  text: string;
  samples: Sample[];
  /** Returns the sum of the samples with this name and these labels; other labels are ignored. Null if there are none. */
  value: (name: string, labels?: Record<string, string>) => number | null;
};

/** Reads `/metrics` as Prometheus does: each line must match the format, and each sample needs a metric with type and help. */
export async function readMetrics(url: string, headers: Record<string, string> = {}): Promise<MetricsPage> {
  const response = await fetch(`${url}/metrics`, { headers });
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${await response.text()}`);
  if (!response.headers.get('content-type')?.startsWith('text/plain; version=0.0.4')) throw new Error('/metrics has another type.');
  const text = await response.text();
  const samples = parseMetrics(text);
  return {
    text,
    samples,
    value(name, labels = {}) {
      const found = samples.filter(
        (sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      );
      return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

function parseMetrics(text: string): Sample[] {
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  if (!text.endsWith('\n')) throw new Error('The last line is not ended.');
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, about = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') helped.add(about);
    else if (kind === 'TYPE') types.set(about, rest);
    else samples.push(parseSample(line));
  }
  for (const { name } of samples) {
    const metric = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (!/^(counter|gauge|histogram|summary)$/.test(types.get(metric) ?? '') || !helped.has(metric)) {
      throw new Error(`${name} has no type or no help.`);
    }
  }
  return samples;
}

function parseSample(line: string): Sample {
  const [, name = '', inside = '', value = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '' || (Number.isNaN(Number(value)) && !/^([+-]Inf|Nan|NaN)$/.test(value))) throw new Error(`No sample: ${line}`);
  const labels = [...inside.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text] as const);
  return { name, labels: Object.fromEntries(labels), value: Number(value) };
}
