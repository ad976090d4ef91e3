import http from 'node:http';
import type { AddressInfo } from 'node:net';

type ToolCallMade = { name: string; args: unknown; headers: http.IncomingHttpHeaders };
/** A request of the protocol, with what is needed to answer it in any way. */
export type Asked = {
  method: string;
  id: number | string | undefined;
  params: Record<string, unknown>;
  headers: http.IncomingHttpHeaders;
  response: http.ServerResponse;
};

export type ToolServer = {
  url: string;
  /** Requests of the protocol, by method. */
  asked: string[];
  /** HTTP requests by method. */
  requests: string[];
  calls: ToolCallMade[];
  headers: http.IncomingHttpHeaders[];
  /** The definitions that it lists. */
  list: (tools: readonly unknown[]) => void;
  /** How it answers calls: with the result, or by itself. */
  answer: (reply: (call: ToolCallMade) => unknown) => void;
  /** Answers requests in another way; returns false for those that are answered as usual. */
  lie: (reply: ((asked: Asked) => boolean | Promise<boolean>) | null) => void;
  /** Tells the answers to requests of this server. */
  hear: (listener: (reply: unknown) => void) => void;
  /** Documents that it answers to GET, by their path. */
  documents: Map<string, unknown>;
  /** Other answers to GET, by their path. */
  pages: Map<string, { status: number; headers: Record<string, string>; body: string }>;
  close: () => Promise<void>;
};

export const textResult = (text: string) => ({ content: [{ type: 'text', text }] });

/** A tool server (MCP over streamable HTTP) whose tools and answers a test decides. */
export async function startToolServer(): Promise<ToolServer> {
  let tools: readonly unknown[] = [];
  let reply: (call: ToolCallMade) => unknown = () => textResult('Done.');
  let lie: ((asked: Asked) => boolean | Promise<boolean>) | null = null;
  let heard: (reply: unknown) => void = () => {};
  const asked: string[] = [];
  const requests: string[] = [];
  const calls: ToolCallMade[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const documents = new Map<string, unknown>();
  const pages: ToolServer['pages'] = new Map();

  const server = http.createServer(async (request, response) => {
    const document = request.method === 'GET' ? documents.get(request.url ?? '') : undefined;
    if (document) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    const page = request.method === 'GET' ? pages.get(request.url ?? '') : undefined;
    if (page) return response.writeHead(page.status, page.headers).end(page.body);
    requests.push(request.method ?? '');
    headers.push(request.headers);
    if (request.method === 'DELETE') return response.writeHead(204).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    let text = '';
    for await (const piece of request) text += piece;
    const { method = '', id, params = {} } = JSON.parse(text) as { method?: string; id?: number; params?: Record<string, unknown> };
    if (method === '') heard(JSON.parse(text));
    asked.push(method);
    if (method !== '' && lie && (await lie({ method, id, params, headers: request.headers, response }))) return;
    if (id === undefined) return response.writeHead(202).end();
    const send = (body: object) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const answered = (result: unknown) => send({ jsonrpc: '2.0', id, result });
    if (method === 'initialize') {
      response.setHeader('mcp-session-id', 'session-1');
      return answered({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'test-tools', version: '1.2.3' } });
    }
    if (method === 'tools/list') return answered({ tools });
    if (method === 'tools/call') {
      const call = { name: String(params.name), args: params.arguments, headers: request.headers };
      calls.push(call);
      const result = await reply(call);
      return response.destroyed ? undefined : answered(result);
    }
    send({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    ...{ asked, requests, calls, headers, documents, pages },
    list: (given) => {
      tools = given;
    },
    answer: (given) => {
      reply = given;
    },
    hear: (listener) => {
      heard = listener;
    },
    lie: (given) => {
      lie = given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
