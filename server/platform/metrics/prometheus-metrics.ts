import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Gauges, Metrics } from './metrics.ts';

/** Bucket limits (seconds): calls that only touch the database are short, those that wait for an agent are long. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** How long a count of database rows is cached, and how long a scrape waits for it (ms). */
const countedForMs = 10_000;
const countLimitMs = 2_000;
const modelBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

const delayBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5];

/** Metrics of a server in Prometheus' text format, with Node's own metrics of its process. */
export function prometheusMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const ofNode = nodeMetrics();
  new Gauge({ name: 'artel_build_info', help: 'The version that runs; always 1.', labelNames: ['version'], registers }).set({ version }, 1);
  const requests = new Histogram({
    name: 'artel_http_request_duration_seconds',
    help: 'Requests by route, method and class of status.',
    labelNames: ['route', 'method', 'status'],
    buckets: requestBuckets,
    registers,
  });
  const steps = new Histogram({
    name: 'artel_step_duration_seconds',
    help: 'Steps of executions that ended on this node, by provider and outcome.',
    labelNames: ['provider', 'outcome'],
    buckets: modelBuckets,
    registers,
  });
  const modelCalls = new Histogram({
    name: 'artel_model_call_duration_seconds',
    help: 'Calls of models, each attempt by itself, by provider and outcome.',
    labelNames: ['provider', 'outcome'],
    buckets: modelBuckets,
    registers,
  });
  const tokens = new Counter({
    name: 'artel_model_tokens_total',
    help: 'Tokens that providers have counted, by provider and kind.',
    labelNames: ['provider', 'kind'],
    registers,
  });

  const keyCalls = new Counter({
    name: 'artel_api_key_calls_total',
    help: 'Calls with an API key, by whether the key was accepted.',
    labelNames: ['outcome'],
    registers,
  });
  const delays = new Histogram({
    name: 'artel_event_loop_delay_seconds',
    help: 'The longest delay of the event loop in each second: how long a request may have waited for others.',
    buckets: delayBuckets,
    registers,
  });
  const stopWatching = watchEventLoopDelay((seconds) => delays.observe(seconds));

  return {
    requestEnded: ({ route, method, status, ms }) =>
      requests.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, ms / 1_000),
    stepEnded: ({ provider, outcome, ms }) => steps.observe({ provider, outcome }, ms / 1_000),
    modelCalled({ provider, outcome, ms, tokens: used }) {
      modelCalls.observe({ provider, outcome }, ms / 1_000);
      if (!used) return;
      tokens.inc({ provider, kind: 'prompt' }, used.promptTokens);
      tokens.inc({ provider, kind: 'completion' }, used.completionTokens);
    },
    keyCalled: (outcome) => keyCalls.inc({ outcome }),
    watch: (gauges) => addGauges(registry, gauges),
    read: async () => ({ type: registry.contentType, text: await Registry.merge([ofNode, registry]).metrics() }),
    close: stopWatching,
  };
}

let nodeRegistry: Registry | null = null;

/** Node's own metrics. The library cannot stop their observers, so a process has them once, however many servers it opens and closes. */
function nodeMetrics(): Registry {
  if (nodeRegistry === null) {
    nodeRegistry = new Registry();
    collectDefaultMetrics({ register: nodeRegistry });
  }
  return nodeRegistry;
}

function addGauges(registry: Registry, { executions, queue, commands, deadLetters, sockets }: Gauges): void {
  const registers = [registry];
  const counted = cacheResult(executions, countedForMs, countLimitMs);
  new Gauge({
    name: 'artel_executions',
    help: 'Executions in the database by state, the same on every node.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      for (const [state, count] of Object.entries((await counted()) ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'artel_executions_under_way',
    help: 'Executions that this node works on.',
    registers,
    collect() {
      this.set(queue().running);
    },
  });
  new Gauge({
    name: 'artel_queue_depth',
    help: 'Executions that wait for their turn on this node.',
    registers,
    collect() {
      this.set(queue().waiting);
    },
  });
  new Gauge({
    name: 'artel_commands_under_way',
    help: 'Commands to single agents that this node carries out.',
    registers,
    collect() {
      this.set(commands().running);
    },
  });
  new Gauge({
    name: 'artel_command_queue_depth',
    help: 'Commands that wait for their turn on this node.',
    registers,
    collect() {
      this.set(commands().waiting);
    },
  });
  const given = cacheResult(deadLetters, countedForMs, countLimitMs);
  new Gauge({
    name: 'artel_dead_letters',
    help: 'Runs, commands and instants of schedules whose attempts are used up and that wait for staff, the same on every node.',
    registers,
    async collect() {
      const count = await given();
      if (count === null) this.remove();
      else this.set(count);
    },
  });
  new Gauge({
    name: 'artel_sockets_open',
    help: 'Open WebSockets on this node.',
    registers,
    collect() {
      this.set(sockets());
    },
  });
}

const [resolutionMs, everyMs] = [10, 1_000];

/**
 * Reports once a second the longest delay of the event loop in that second (seconds): every request of that moment waited for it. Returns a
 * function that ends the reports.
 */
function watchEventLoopDelay(report: (seconds: number) => void): () => void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const timer = setInterval(() => {
    // The sampling interval itself is part of the measured value.
    if (delays.count > 0) report(Math.max(0, delays.max / 1e9 - resolutionMs / 1_000));
    delays.reset();
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}

/**
 * Caches the answer of `ask` for `forMs`. Returns null while the call fails or takes longer than `limitMs`.
 */
function cacheResult<T>(ask: () => Promise<T>, forMs: number, limitMs: number): () => Promise<T | null> {
  let known: { answer: Promise<T | null>; at: number } | null = null;
  return () => {
    const now = performance.now();
    if (known === null || now - known.at > forMs) {
      const asked = { answer: within(ask(), limitMs).catch(() => null), at: now };
      known = asked;
      void asked.answer.then((answer) => {
        if (answer === null && known === asked) known = null;
      });
    }
    return known.answer;
  };
}

function within<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`No answer in ${limitMs} ms.`)), limitMs);
    answer.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}
