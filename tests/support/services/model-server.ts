import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HostileReply, sendHostile } from '../model-protocols/hostile-reply.ts';
import { openAiProtocol } from '../model-protocols/openai-protocol.ts';
import type { Protocol, ScriptedCall } from '../model-protocols/protocol.ts';

/** The server's reaction to one call. */
export type Reply =
  | {
      kind: 'text';
      text: string;
      /** Reasoning before the text. */
      thoughts?: string;
      end?: 'stop' | 'length' | 'refused';
      /** The delay before the first word (ms). */
      afterMs?: number;
    }
  /** Calls of tools after a text, streamed or as JSON. */
  | { kind: 'calls'; calls: readonly ScriptedCall[]; text?: string; isWhole?: boolean }
  /** One completion as JSON, although a stream was requested. */
  | { kind: 'json'; text: string }
  | { kind: 'status'; status: number; message?: string; retryAfter?: string }
  /** A page of HTML with status 200. */
  | { kind: 'garbage' }
  /** A stream without a word, with or without a proper end. */
  | { kind: 'empty'; ended: boolean }
  /** Half a text, and then the connection is cut. */
  | { kind: 'cut'; text: string }
  /** Half a text, and then the stream ends as if it were complete. */
  | { kind: 'half'; text: string }
  /** Half a text, and then an error in the stream. */
  | { kind: 'failure'; text: string; message: string }
  /** Half a text, and then silence. */
  | { kind: 'stall'; text: string }
  /** A complete text with its proper end; the connection stays open. */
  | { kind: 'open'; text: string }
  /** The body of a stream as it is. */
  | { kind: 'raw'; body: string }
  /** A harmful answer. */
  | { kind: 'hostile'; hostile: HostileReply }
  /** Closes the connection without an answer. */
  | { kind: 'hangUp' }
  /** Sends nothing until `release` or until the client disconnects. */
  | { kind: 'hang' };

export type ModelCall = {
  /** From 1, in the order of arrival. */
  number: number;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: {
    model: string;
    system?: string;
    messages: { role: string; content: string; [field: string]: unknown }[];
    /** The offered tools, in the protocol's own shape. */
    tools?: unknown[];
    functions?: unknown[];
    max_tokens?: number;
    temperature?: number;
    stream?: boolean;
  };
  /** True once the client has disconnected before the answer was complete. */
  aborted: boolean;
};

export type ModelServer = {
  /** The base URL for clients. */
  url: string;
  calls: ModelCall[];
  /** Offers these models from now on: what a GET of the list returns, which counts as no call. */
  offer: (models: readonly string[]) => void;
  /** Answers from now on as `script` defines. */
  answer: (script: Reply | ((call: ModelCall) => Reply)) => void;
  /** Resolves with the n-th call when it has arrived. */
  call: (number: number) => Promise<ModelCall>;
  /** Resolves when the client of the n-th call has disconnected. */
  aborted: (number: number) => Promise<void>;
  /** Ends every waiting call with this reply, or text: all of them, or those that are chosen. */
  release: (reply: string | Exclude<Reply, { kind: 'hang' }>, isChosen?: (call: ModelCall) => boolean) => void;
  close: () => Promise<void>;
};

/** A local model server that counts and stores its calls. Its default protocol is OpenAI's chat completions. */
export async function startModelServer(protocol: Protocol = openAiProtocol): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const waiters = new Set<() => void>();
  const hanging = new Map<http.ServerResponse, ModelCall>();
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

  let offered: readonly string[] = [];

  const server = http.createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: offered.map((id) => ({ id, object: 'model' })) }));
      return;
    }
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
      if (reply.kind === 'hang') hanging.set(response, call);
      else respond(protocol, response, reply);
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    offer(models) {
      offered = models;
    },
    answer(next) {
      script = typeof next === 'function' ? next : () => next;
    },
    call: (number) => until(() => calls[number - 1]),
    aborted: (number) => until(() => (calls[number - 1]?.aborted ? true : undefined)).then(() => {}),
    release(reply, isChosen = () => true) {
      for (const [response, call] of hanging) {
        if (!isChosen(call)) continue;
        hanging.delete(response);
        respond(protocol, response, typeof reply === 'string' ? { kind: 'text', text: reply } : reply);
      }
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function respond(protocol: Protocol, response: http.ServerResponse, reply: Exclude<Reply, { kind: 'hang' }>): void {
  const stream = (...parts: string[]) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const part of parts) response.write(part);
  };
  switch (reply.kind) {
    case 'text':
      setTimeout(() => {
        stream(protocol.begin(), ...pieces(reply.thoughts ?? '').map(protocol.thought), ...pieces(reply.text).map(protocol.text));
        response.end(protocol.end(reply.end ?? 'stop'));
      }, reply.afterMs ?? 0);
      return;
    case 'calls':
      if (reply.isWhole) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(protocol.wholeCalls(reply.text ?? '', reply.calls)));
        return;
      }
      stream(protocol.begin(), ...pieces(reply.text ?? '').map(protocol.text));
      response.end(protocol.calls(reply.calls));
      return;
    case 'json':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(protocol.whole(reply.text)));
      return;
    case 'status': {
      const headers = {
        'content-type': 'application/json',
        ...(reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter }),
      };
      response.writeHead(reply.status, headers);
      response.end(JSON.stringify(protocol.refusal(reply.status, reply.message ?? 'scripted')));
      return;
    }
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Hello</title><p>This is no model.');
      return;
    case 'empty':
      stream();
      response.end(reply.ended ? protocol.begin() + protocol.end('stop') : '');
      return;
    case 'cut':
      stream(protocol.begin());
      response.write(protocol.text(reply.text), () => response.destroy());
      return;
    case 'half':
      stream(protocol.begin(), protocol.text(reply.text));
      response.end();
      return;
    case 'failure':
      stream(protocol.begin(), protocol.text(reply.text));
      response.end(protocol.failure(reply.message));
      return;
    case 'stall':
      stream(protocol.begin(), protocol.text(reply.text));
      return;
    case 'open':
      stream(protocol.begin(), protocol.text(reply.text), protocol.end('stop'));
      return;
    case 'raw':
      stream();
      response.end(reply.body);
      return;
    case 'hostile':
      sendHostile(reply.hostile, protocol, response);
      return;
    case 'hangUp':
      response.destroy();
      return;
    default:
      reply satisfies never;
  }
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [];
}
