import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Answer, type Egress, ResponseTooLong } from '../egress/egress.ts';
import type { Scrubber } from '../egress/scrubber.ts';
import { parseBoundedJson } from '../llm/bounded-json.ts';
import { readEvents } from '../llm/read-events.ts';
import { createMessageSorter, isAnswer, type McpChannel, maxAnswerBytes, unwatched } from './mcp-channel.ts';
import { McpFailed } from './mcp-failed.ts';

/** The most requests of one session: a server may ask back, and each answer is a request. */
const maxRequests = 200;
const maxSessionIdLength = 1_000;
/** How long an answer may follow the end of its stream (ms): the last event is still on its way to the reader. */
const settleMs = 100;
const endMs = 2_000;

type HttpServer = {
  url: string;
  /** With names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Returns other headers once a server has refused a request with those of before (401); the request is then repeated once. */
  renew?: () => Promise<Record<string, string>>;
  egress: Egress;
};

/**
 * Opens a channel to a server over streamable HTTP. Every request goes through `egress`, to this very address. A redirect is a failure, an
 * answer has at most 1 MiB, and no stream is held open beside the answers.
 */
export function createHttpChannel({ url, headers, renew, egress }: HttpServer): McpChannel {
  let own = headers;
  let watcher = unwatched;
  const sort = createMessageSorter();
  /** What was sent before a renewal may still be repeated after it. */
  const sent = new Set(Object.values(headers));
  let requests = 0;
  /** The number of the newest request: how the stream of an earlier one ends says nothing about it. */
  let newest = 0;

  const send = async (method: string, init: RequestInit, isRenewed = false): Promise<Response> => {
    requests += 1;
    if (requests > maxRequests) throw new McpFailed('protocol', { said: 'too many requests' });
    const body = typeof init.body === 'string' ? { body: init.body } : {};
    if (isRequest(init)) newest += 1;
    const current = newest;
    const signal = init.signal ? { signal: init.signal } : {};
    const all = { ...Object.fromEntries(new Headers(init.headers)), ...own };
    const answer = await egress(url, { method, headers: all, secrets: [...sent], ...body, ...signal });
    if (answer.status === 401 && renew && !isRenewed) {
      // The connection is free then.
      for await (const _ of withinLimit(answer));
      own = await renew();
      for (const value of Object.values(own)) sent.add(value);
      init.signal?.throwIfAborted();
      return send(method, init, true);
    }
    if (answer.status >= 300 && answer.status < 400) {
      for await (const _ of answer.body) break;
      throw new McpFailed('redirect', { said: (answer.headers.location ?? '').slice(0, 300) });
    }
    // The session has ended, so nothing was done.
    if (answer.status === 404 && 'mcp-session-id' in all) {
      for await (const _ of answer.body) break;
      throw new McpFailed('session_ended');
    }
    const ofNewest = {
      onFailure: (error: unknown) => current === newest && watcher.onFailure(error),
      onProgress: () => current === newest && watcher.onProgress(),
    };
    return toResponse(answer, ofNewest, sort);
  };

  const guarded = async (_address: URL | string, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET';
    // A stream beside the answers would stay open for ever.
    if (method === 'GET') return new Response(null, { status: 405 });
    try {
      return await send(method, init);
    } catch (error) {
      if (isRequest(init)) watcher.onFailure(error);
      throw error;
    }
  };

  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: guarded as typeof fetch,
    requestInit: { headers: { 'user-agent': 'Artel' } },
    reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1_000, maxReconnectionDelay: 1_000, reconnectionDelayGrowFactor: 1 },
  });
  return {
    transport,
    negotiates: true,
    watch: (given) => {
      watcher = given;
    },
    async close() {
      watcher = unwatched;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, endMs);
      });
      await Promise.race([transport.terminateSession().catch(() => {}), late]);
      clearTimeout(timer);
      await transport.close().catch(() => {});
    },
  };
}

/** Whether a call carries a request or a note of this side: answers to requests of the server have no method. */
function isRequest({ body }: RequestInit): boolean {
  return typeof body === 'string' && body.includes('"method"');
}

type Sort = ReturnType<typeof createMessageSorter>;
type Hearing = { watched: Watched; sort: Sort; scrubber: Scrubber };
type Watched = { onFailure: (error: unknown) => unknown; onProgress: () => unknown };

/** Converts an answer to the form of `fetch`, within the limits of its size. */
async function toResponse(answer: Answer, watched: Watched, sort: Sort): Promise<Response> {
  const { status } = answer;
  const type = answer.headers['content-type'] ?? '';
  const session = answer.headers['mcp-session-id'];
  if (session !== undefined && session.length > maxSessionIdLength) throw new McpFailed('protocol');
  const headers = { ...(type && { 'content-type': type }), ...(session !== undefined && { 'mcp-session-id': session }) };
  const body = withinLimit(answer);
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status, headers });
  if (/^text\/event-stream\b/i.test(type))
    return new Response(toStream(messagesIn(body, { watched, sort, scrubber: answer.scrubber })), { status, headers });
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8');
  // The protocol has no lists of messages: each would be checked on its own.
  if (!/^application\/json\b/i.test(type)) return new Response(text, { status, headers });
  const message = parseBoundedJson(text);
  if (!isAnswer(message)) throw new McpFailed('protocol');
  return new Response(JSON.stringify(answer.scrubber.value(message)), { status, headers });
}

async function* withinLimit({ body }: Answer): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maxAnswerBytes) throw new ResponseTooLong();
    yield piece;
  }
}

/** The most answers of one stream: it has one. */
const maxAnswers = 10;

/** Hands on what the library is to hear of a stream, and tells when it ends: nothing answers the request of an ended stream. */
async function* messagesIn(body: AsyncIterable<Uint8Array>, { watched, sort, scrubber }: Hearing): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    let answers = 0;
    for await (const message of readEvents(body)) {
      const sorted = sort(message);
      if (sorted.for === 'progress') watched.onProgress();
      if (sorted.for !== 'library') continue;
      if (isAnswer(message)) answers += 1;
      if (answers > maxAnswers) throw new McpFailed('protocol');
      yield encoder.encode(`data: ${JSON.stringify(scrubber.value(sorted.message))}\n\n`);
    }
  } catch (error) {
    watched.onFailure(error);
    throw error;
  }
  setTimeout(() => watched.onFailure(new McpFailed('protocol')), settleMs).unref();
}

function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
