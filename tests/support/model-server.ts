import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one call. */
export type Reply =
  | { kind: 'text'; text: string /** Waits before the first word (ms). */; afterMs?: number }
  /** One completion as JSON, although a stream was asked for. */
  | { kind: 'json'; text: string }
  | { kind: 'status'; status: number; message?: string; retryAfter?: string }
  /** A page of HTML with status 200. */
  | { kind: 'garbage' }
  /** A stream without a word, with or without a proper end. */
  | { kind: 'empty'; ended: boolean }
  /** Half a text, and then the connection is cut. */
  | { kind: 'cut'; text: string }
  /** Closes the connection without an answer. */
  | { kind: 'hangUp' }
  /** Says nothing until `release` or the client goes away. */
  | { kind: 'hang' };

export type ModelCall = {
  /** From 1, in the order of arrival. */
  number: number;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: { model: string; messages: { role: string; content: string }[]; max_tokens?: number; temperature?: number; stream?: boolean };
  /** True once the client has gone away before the answer was complete. */
  aborted: boolean;
};

export type ModelServer = {
  /** To be given as a base URL. */
  url: string;
  calls: ModelCall[];
  /** Answers from now on as `script` says. */
  answer: (script: Reply | ((call: ModelCall) => Reply)) => void;
  /** Resolves with the n-th call when it has arrived. */
  call: (number: number) => Promise<ModelCall>;
  /** Resolves when the client of the n-th call has gone away. */
  aborted: (number: number) => Promise<void>;
  /** Lets every call that hangs end with this text. */
  release: (text: string) => void;
  close: () => Promise<void>;
};

/** A local server that speaks OpenAI's chat completions, counts its calls and keeps what it was sent. */
export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const waiters = new Set<() => void>();
  const hanging = new Set<http.ServerResponse>();
  let script: (call: ModelCall) => Reply = (call) => ({ kind: 'text', text: `Answer ${call.number}` });

  const wake = () => {
    for (const waiter of waiters) waiter();
  };
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const waiter = () => {
        const found = look();
        if (found === undefined) return;
        waiters.delete(waiter);
        resolve(found);
      };
      waiters.add(waiter);
      waiter();
    });

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ModelCall['body'];
      const call: ModelCall = { number: calls.length + 1, path: request.url ?? '', headers: request.headers, body, aborted: false };
      calls.push(call);
      response.on('close', () => {
        hanging.delete(response);
        call.aborted = !response.writableFinished;
        wake();
      });
      const reply = script(call);
      if (reply.kind === 'hang') hanging.add(response);
      else respond(response, reply);
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    answer(next) {
      script = typeof next === 'function' ? next : () => next;
    },
    call: (number) => until(() => calls[number - 1]),
    aborted: (number) => until(() => (calls[number - 1]?.aborted ? true : undefined)).then(() => {}),
    release(text) {
      for (const response of hanging) respond(response, { kind: 'text', text });
      hanging.clear();
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function respond(response: http.ServerResponse, reply: Exclude<Reply, { kind: 'hang' }>): void {
  switch (reply.kind) {
    case 'text':
      setTimeout(() => {
        startStream(response);
        for (const piece of pieces(reply.text)) response.write(event({ choices: [{ index: 0, delta: { content: piece } }] }));
        response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
        response.write(event({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } }));
        response.end('data: [DONE]\n\n');
      }, reply.afterMs ?? 0);
      return;
    case 'json':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: reply.text }, finish_reason: 'stop' }] }));
      return;
    case 'status': {
      const headers = {
        'content-type': 'application/json',
        ...(reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter }),
      };
      response.writeHead(reply.status, headers);
      response.end(JSON.stringify({ error: { message: reply.message ?? 'scripted', type: 'scripted' } }));
      return;
    }
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Hello</title><p>This is no model.');
      return;
    case 'empty':
      startStream(response);
      if (reply.ended) response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      response.end(reply.ended ? 'data: [DONE]\n\n' : '');
      return;
    case 'cut':
      startStream(response);
      response.write(event({ choices: [{ index: 0, delta: { content: reply.text } }] }), () => response.destroy());
      return;
    case 'hangUp':
      response.destroy();
      return;
    default:
      reply satisfies never;
  }
}

function startStream(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

function event(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'test', ...chunk })}\n\n`;
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [];
}
