import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Asked = {
  /** From 1, in the order of arrival, of the same model. */
  number: number;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of eleven protocols, which the servers check themselves
  body: any;
};
/** A body as it is, or a value as JSON. `pieces`: with a pause between them. `stays`: the connection stays open. */
export type Answered = {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: unknown;
  pieces?: readonly Uint8Array[];
  stays?: true;
};

export type StrictServer = { url: string; asked: Asked[]; close: () => Promise<void> };

/** A server that answers each request by a function. What it throws is its refusal of a request: see `Refused`. */
export async function startStrictServer(answer: (asked: Asked) => Answered): Promise<StrictServer> {
  const all: Asked[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://server');
    const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const number = all.filter((other) => other.body.model === body.model).length + 1;
    const asked: Asked = { number, path: url.pathname, query: url.searchParams, headers: request.headers, body };
    all.push(asked);
    const { status = 200, type, headers = {}, body: told, pieces, stays } = answered(answer, asked);
    const isText = typeof told === 'string';
    const kind = type ?? (isText || pieces ? 'text/event-stream' : 'application/json');
    response.writeHead(status, { 'content-type': kind, ...headers });
    for (const piece of pieces ?? []) await new Promise((resolve) => response.write(piece, () => setImmediate(resolve)));
    if (told !== undefined) response.write(isText ? told : JSON.stringify(told));
    if (!stays) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: all,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The refusal of a request, in the protocol's own shape. */
export class Refused extends Error {
  readonly status: number;
  readonly told: unknown;

  constructor(status: number, told: unknown) {
    super(JSON.stringify(told));
    this.status = status;
    this.told = told;
  }
}

function answered(answer: (asked: Asked) => Answered, asked: Asked): Answered {
  try {
    return answer(asked);
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, body: error.told };
    return { status: 500, body: { error: { message: String(error) } } };
  }
}

/** Events of a stream without names, as in chat completions. */
export function eventsOf(...events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
}

/** Events with the names of their types, as Anthropic and the Responses API send them. */
export function namedEvents(...events: readonly { type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
