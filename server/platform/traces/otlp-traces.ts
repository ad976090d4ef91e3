import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes, serviceNameEnvDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { parseTraceparent, TraceIds, traceIdsOfStep } from './trace-ids.ts';
import type { Traces } from './traces.ts';

type OtlpOptions = {
  version: string;
  /** Called once when the collector stops accepting spans, and once when it accepts them again. */
  note: (line: string) => void;
  /** How long spans are collected before they are sent (ms). */
  sendEveryMs?: number;
};

/** The maximum of spans that wait for the collector. Further spans are dropped, so that no request waits. */
const maxWaiting = 2_048;
const sendLimitMs = 5_000;

/** Sends spans by OTLP over HTTP. Address and headers come from the standard `OTEL_EXPORTER_OTLP_*` variables. */
export function otlpTraces({ version, note, sendEveryMs = 2_000 }: OtlpOptions): Traces {
  const names = new TraceIds();
  const processor = new BatchSpanProcessor({
    exporter: noted(new OTLPTraceExporter({ timeoutMillis: sendLimitMs }), note),
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: sendLimitMs,
    maxQueueSize: maxWaiting,
  });
  const resource = resourceFromAttributes({ 'service.name': 'artel', 'service.version': version }).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
  const provider = new TracerProvider({ resource, idGenerator: names, spanProcessors: [processor] });
  const tracer = provider.getTracer('artel', version);

  return {
    request({ method, route, requestId, traceparent }) {
      const caller = parseTraceparent(traceparent);
      const within = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
      const attributes = { 'http.request.method': method, 'http.route': route, 'artel.request.id': requestId };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, within);
      return (status) => {
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },

    modelCall({ provider: whose, model, idempotencyKey }) {
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': whose, 'gen_ai.request.model': model };
      const span = startModelSpan(`chat ${model}`, attributes, idempotencyKey);
      return (outcome) => {
        if (outcome?.ok) {
          const { usage } = outcome.value;
          if (usage)
            span.setAttributes({ 'gen_ai.usage.input_tokens': usage.promptTokens, 'gen_ai.usage.output_tokens': usage.completionTokens });
        } else fail(span, outcome?.error.code ?? 'internal');
        span.end();
      };
    },

    step({ outcome, step, event }) {
      const { executionId, error, at } = event;
      const attributes = {
        ...idsOf(executionId, step.stepId),
        'artel.step.role': step.role,
        'artel.step.outcome': outcome,
        'artel.step.attempts': step.attempts,
      };
      const startTime = new Date(step.startedAt ?? at);
      const span = names.as(traceIdsOfStep(executionId, step.stepId), () =>
        tracer.startSpan('step', { root: true, startTime, attributes }),
      );
      if (outcome === 'failed') fail(span, error?.code ?? 'internal');
      span.end(new Date(step.completedAt ?? at));
    },

    close: () => provider.shutdown(),
  };

  function startModelSpan(name: string, attributes: Attributes, idempotencyKey: string): Span {
    const [, owner = '', stepId] = /^([\da-f-]{36})(?::([\da-f-]{36}))?$/.exec(idempotencyKey) ?? [];
    const kind = SpanKind.CLIENT;
    if (stepId !== undefined) {
      const all = { ...attributes, ...idsOf(owner, stepId) };
      return tracer.startSpan(name, { kind, attributes: all }, below(traceIdsOfStep(owner, stepId)));
    }
    const begin = () => tracer.startSpan(name, { kind, root: true, attributes });
    return owner === '' ? begin() : names.as({ traceId: owner.replaceAll('-', '') }, begin);
  }
}

function idsOf(executionId: string, stepId: string): Attributes {
  return { 'artel.execution.id': executionId, 'artel.step.id': stepId };
}

function below(parent: { traceId: string; spanId: string }): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

function fail(span: Span, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

/** Wraps an exporter: `note` is called when it starts to fail, and when it works again. */
function noted(exporter: SpanExporter, note: (line: string) => void): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined || result.code !== 0;
        if (failed && !failing) note(`Traces are not taken: ${result.error?.message ?? 'the collector refuses them'}`);
        if (!failed && failing) note('Traces are taken again.');
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
