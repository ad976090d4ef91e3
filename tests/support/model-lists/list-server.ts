import http from 'node:http';
import type { AddressInfo } from 'node:net';

type ListCall = { method: string; path: string; query: URLSearchParams; headers: http.IncomingHttpHeaders; body: string };
/** The answer of one path: a value as JSON, or what the test writes itself. */
type ListReply = { status?: number; json: unknown } | { write: (response: http.ServerResponse) => void };

type ListServer = {
  url: string;
  calls: ListCall[];
  /** Answers by path; others get a 404. */
  answer: (replies: Record<string, ListReply | ((call: ListCall) => ListReply)>) => void;
  close: () => Promise<void>;
};

/** A server that has lists of models, and remembers who asked for them. */
export async function startListServer(): Promise<ListServer> {
  let replies: Parameters<ListServer['answer']>[0] = {};
  const calls: ListCall[] = [];
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    let body = '';
    for await (const piece of request) body += String(piece);
    const call = { method: request.method ?? '', path: url.pathname, query: url.searchParams, headers: request.headers, body };
    calls.push(call);
    const known = replies[url.pathname] ?? { status: 404, json: { error: { message: 'Not here.' } } };
    const reply = typeof known === 'function' ? known(call) : known;
    if ('write' in reply) return reply.write(response);
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: (given) => {
      replies = given;
      calls.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
