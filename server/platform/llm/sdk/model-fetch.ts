import { ReadableStream } from 'node:stream/web';
import type { Egress } from '../../egress/egress.ts';
import { createAnswerText } from '../answer-text.ts';
import { parseBoundedJson } from '../bounded-json.ts';
import { toldWindow } from '../fit/told-window.ts';
import { HttpFailure, httpFailure } from '../http-failure.ts';
import type { Hold, OnText } from '../language-model.ts';
import type { ModelTraits } from '../model-traits.ts';
import { readEvents } from '../read-events.ts';
import { applyTraits, hasTools, type Repair, refusesTools, repairOf } from '../refused-parameter.ts';
import type { Exchange, Protocol } from './exchange.ts';

/** The most requests of one call that are made again without what the server has refused. */
const maxRepairs = 4;

type ModelFetchOptions = {
  call: Egress;
  protocol: Protocol;
  /** Headers of the call: the key, and those of its connection. */
  headers: Record<string, string>;
  /** The query of the API's address. */
  query: string;
  /** Changes the body that the library has made. */
  adjust: (body: Record<string, unknown>) => Record<string, unknown>;
  host: string;
  model: string;
  traits: ModelTraits;
  signal: AbortSignal;
  exchange: Exchange;
  onText: OnText;
  hold: Hold | undefined;
};

/**
 * Returns the `fetch` of one call: through this server's egress, with its limits. A refused parameter is left out, or sent as the server wants it, and the
 * call is made again; that is remembered. The library gets clean events only.
 */
export function modelFetch(options: ModelFetchOptions): typeof fetch {
  const { call, host, model, traits, protocol, exchange, hold } = options;
  const ask = async (address: string, headers: Record<string, string>, body: Record<string, unknown>) =>
    call(address, { method: 'POST', headers, body: JSON.stringify(body), signal: options.signal });

  return async (input, init) => {
    const url = new URL(String(input));
    for (const [name, value] of new URLSearchParams(options.query)) if (!url.searchParams.has(name)) url.searchParams.set(name, value);
    const headers = { ...ownHeaders(init?.headers), ...options.headers };
    let body = applyTraits(options.adjust(JSON.parse(String(init?.body))), await traits.find(host, model));
    const repairs: Repair[] = [];
    for (;;) {
      const answer = await ask(url.href, headers, body);
      if (answer.ok) {
        exchange.scrubber = answer.scrubber;
        exchange.written = createAnswerText(options.onText, hold, answer.scrubber);
        await learn(repairs, body);
        return new Response(ReadableStream.from(cleanBytes(answer)) as ConstructorParameters<typeof Response>[0], {
          headers: { 'content-type': 'text/event-stream' },
        });
      }
      const failure = await httpFailure(answer);
      const told = toldWindow(failure.responseBody);
      if (told) await traits.learn(host, model, { context: told.window });
      const tried = repairs.map(({ name }) => name);
      const repair = tried.length < maxRepairs ? repairOf(failure, body, tried) : null;
      if (repair === null) throw await refusal(failure, body);
      repairs.push(repair);
      body = repair.apply(body);
    }
  };

  /** Remembers what has helped. A refusal may name a parameter that has nothing to do with it. */
  async function learn(repairs: readonly Repair[], body: Record<string, unknown>): Promise<void> {
    for (const { name, wants, isLasting } of repairs)
      if (isLasting) await traits.learn(host, model, wants ? { wants } : { refused: [name] });
    if (hasTools(body)) await traits.learn(host, model, { tools: true });
  }

  async function refusal(failure: HttpFailure, body: Record<string, unknown>): Promise<HttpFailure> {
    if (!hasTools(body) || !refusesTools(failure)) return failure;
    failure.refusesTools = true;
    await traits.learn(host, model, { tools: false });
    return failure;
  }

  /** Yields clean events as bytes. An error ends them, and is kept for the reader: the library would drop what came before it. */
  async function* cleanBytes(answer: Awaited<ReturnType<Egress>>): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    try {
      for await (const event of protocol.clean(eventsOf(answer), exchange, hold))
        yield encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
    } catch (error) {
      exchange.error = error;
    }
  }

  /** Some servers ignore `stream: true` and answer with one whole body, and some stream without the right content type. */
  async function* eventsOf(answer: Awaited<ReturnType<Egress>>): AsyncGenerator<unknown> {
    const onMarker = () => {
      exchange.isMarked = true;
    };
    const type = answer.headers['content-type'] ?? '';
    if (type.includes('text/event-stream')) return yield* readEvents(answer.body, hold, onMarker);
    const body = await answer.text(hold);
    if (/^data:/m.test(body)) return yield* readEvents([Buffer.from(body)], undefined, onMarker);
    if (type.includes('html') || body.trimStart().startsWith('<')) throw new HttpFailure(answer.status, body.slice(0, 4_096));
    if (body.trim() !== '') yield* protocol.eventsOf(parseBoundedJson(body));
  }
}

/** Returns the library's headers without its keys, which are placeholders, and without its name. */
function ownHeaders(given: RequestInit['headers']): Record<string, string> {
  const headers = new Headers(given);
  for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'user-agent']) headers.delete(name);
  return Object.fromEntries(headers);
}
