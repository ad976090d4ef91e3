import http from 'node:http';
import type { AddressInfo } from 'node:net';

type CollectedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  attributes: Record<string, string | number>;
  failed: boolean;
  /** Attributes of the process that sent it. */
  resource: Record<string, string | number>;
};

type TraceCollector = {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** The raw bodies of all posts. */
  posted: string[];
  spans: () => CollectedSpan[];
  close: () => Promise<void>;
};

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type Posted = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: Attribute[];
        status?: { code?: number };
      }[];
    }[];
  }[];
};

/** A trace collector that stores what it receives by OTLP over HTTP. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const posted: string[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST' && request.url === '/v1/traces') posted.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    spans: () => posted.flatMap((text) => spansOf(JSON.parse(text) as Posted)),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function spansOf({ resourceSpans }: Posted): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        attributes: valuesOf(span.attributes),
        failed: span.status?.code === 2,
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: Attribute[]): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}
