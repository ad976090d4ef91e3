import type { RunAccount } from './run-account.ts';
import { waitingList } from './waiting-list.ts';

/** One Server-Sent Event; `id` is null if it has none. */
// biome-ignore lint/suspicious/noExplicitAny: the tests check the data.
export type Heard = { id: string | null; event: string; data: any };

/** The longest wait for an event (ms). */
const patienceMs = 20_000;

/** Subscribes to a stream of Server-Sent Events and collects them. Resolves when the server has begun the stream. */
export async function followEvents(by: Pick<RunAccount, 'url' | 'accessToken'>, path: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${by.url}/api${path}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${by.accessToken}`, ...headers },
    signal: stop.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The stream was refused with ${response.status}.`);
  const { items: events, add, until } = waitingList<Heard>('event', patienceMs);
  const read = async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      add(...blocks.flatMap(eventOf));
    }
  };
  const ended = read(response.body).catch(() => {});

  return {
    headers: response.headers,
    events,
    /** Resolves when the server ends the stream. */
    ended,
    until,
    close: () => stop.abort(),
  };
}

function eventOf(block: string): Heard[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
  const data = field('data');
  return data === null ? [] : [{ id: field('id'), event: field('event') ?? 'message', data: JSON.parse(data) }];
}
