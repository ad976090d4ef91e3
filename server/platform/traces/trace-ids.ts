import { createHash, randomBytes } from 'node:crypto';
import type { SpanContext } from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace';

type Names = { traceId: string; spanId?: string };

/** Random ids for traces and spans, except for the next one when its id was set. */
export class TraceIds implements IdGenerator {
  #next: Names | null = null;

  /** Sets the id of the one span that `make` creates. */
  as<T>(names: Names, make: () => T): T {
    this.#next = names;
    try {
      return make();
    } finally {
      this.#next = null;
    }
  }

  generateTraceId(): string {
    return this.#next?.traceId ?? randomBytes(16).toString('hex');
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? randomBytes(8).toString('hex');
  }
}

/** The ids of an execution's trace and of a step's span: the same on every node that works on it. */
export function traceIdsOfStep(executionId: string, stepId: string): { traceId: string; spanId: string } {
  const spanId = createHash('sha256').update(`${executionId}:${stepId}`).digest('hex').slice(0, 16);
  return { traceId: executionId.replaceAll('-', ''), spanId };
}

/** Parses the caller's span from the W3C header `traceparent`; null when there is none. */
export function parseTraceparent(header: string | undefined): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
