import { Readable } from 'node:stream';
import type { ServerMessage } from '../../contract/realtime.ts';
import { messageText } from './message-text.ts';

/** One message as a Server-Sent Event. A client that reconnects sends the `id` of the last event that it has received. */
export type StreamEvent = { id?: string; data: ServerMessage };

/** Events that may wait for a slow client, and their characters, before it is disconnected. */
const maxWaiting = 1_000;
const maxWaitingLength = 1024 * 1024;
/** Bytes that are buffered for a client ahead of its reading. */
const highWaterMark = 64 * 1024;
/** The delay before a disconnected client reconnects (ms). */
const retryMs = 2_000;

/**
 * A stream of events for one client: first the missed events, then new ones, as fast as the client reads. A client that falls behind
 * by more than 1,000 events or 1 MiB is disconnected, and reconnects with the id of its last event. `takePending` returns messages that
 * are sent only while nothing else waits. `onClosed` is called once, for any end of the stream.
 */
export function createEventStream(missed: AsyncIterable<StreamEvent>, onClosed: () => void, takePending: () => StreamEvent[] = () => []) {
  const waiting: { id: string | undefined; lines: string }[] = [];
  let waitingLength = 0;
  let wake = () => {};
  let ended = false;

  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  const end = () => {
    ended = true;
    wake();
  };

  async function* lines(): AsyncGenerator<string> {
    yield `retry: ${retryMs}\n\n`;
    /** Ids of events read from the database, which may arrive over the bus as well. */
    let sentIds: string[] = [];
    for await (const event of missed) {
      if (ended) return;
      if (event.id !== undefined) sentIds = [...sentIds.slice(1 - maxWaiting), event.id];
      yield linesOf(event);
    }
    while (!ended) {
      const next = waiting.shift();
      if (next === undefined) {
        const pending = takePending();
        for (const event of pending) yield linesOf(event);
        if (pending.length === 0) await woken();
        continue;
      }
      waitingLength -= next.lines.length;
      if (next.id === undefined || !sentIds.includes(next.id)) yield next.lines;
    }
  }

  const source = lines();
  const stream = new Readable({
    highWaterMark,
    read() {
      source.next().then(
        ({ done, value }) => {
          if (!stream.destroyed) stream.push(done ? null : value);
        },
        (error: Error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      end();
      onClosed();
      done(error);
    },
  });

  const add = (id: string | undefined, text: string) => {
    if (ended) return;
    if (waiting.length >= maxWaiting || waitingLength > maxWaitingLength) return end();
    waiting.push({ id, lines: text });
    waitingLength += text.length;
    wake();
  };

  return {
    stream,
    push: (event: StreamEvent) => add(event.id, linesOf(event)),
    /** Tells the stream that a pending message exists. */
    wake: () => wake(),
    /** Sends a comment that keeps proxies from closing an idle stream. */
    heartbeat: () => add(undefined, ': here\n\n'),
    end,
  };
}

function linesOf({ id, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${data.type}\ndata: ${messageText(data)}\n\n`;
}
