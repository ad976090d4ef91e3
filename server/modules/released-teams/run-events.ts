import { Readable } from 'node:stream';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Member } from '../../http/call.ts';
import type { OpenConnection, OpenConnections } from '../../http/limits/open-connections.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

export type FollowDeps = {
  bus: Pick<Bus, 'subscribe'>;
  connections: Pick<OpenConnections, 'add' | 'checkLimits' | 'endSession'>;
};
export type RunEventsDeps = FollowDeps & {
  /** Returns the stored events of a run after a number, in order. */
  read: (userId: OwnerId, id: string, since: number, limit: number) => Promise<ExecutionEvent[]>;
};

/** `hasEnded`: whether the run had ended before the stream begins. */
type StreamedRun = { id: string; since: number; hasEnded: boolean };

/** Events in one query. */
const readAtOnce = 100;
/** Bytes that are buffered for a client ahead of its reading. */
const highWaterMark = 64 * 1024;
/** The delay before a disconnected client reconnects (ms). */
const retryMs = 2_000;
/** Heartbeats, one in ten seconds, after which a client that reads nothing is disconnected. */
const maxUnreadHeartbeats = 6;

/**
 * Streams the events of one run as Server-Sent Events, from after `since` to its end: a returning client sends the number of its last event. Events are
 * read as fast as the client reads, and the bus only says that there are new ones, so a slow client holds no memory and misses none. Of a run that
 * has ended the stream ends with what is stored, also where the client has it all. Throws `too_many_requests` when the account has too many connections.
 */
export function streamRunEvents({ read, ...deps }: RunEventsDeps, user: Member, { id, since, hasEnded }: StreamedRun): Readable {
  const signal = new Signal();
  const end = () => {
    signal.end();
    stream.destroy();
  };
  const unfollow = followRun(deps, user, id, {
    change: () => signal.raise(),
    heartbeat: () => {
      if (signal.unreadHeartbeats >= maxUnreadHeartbeats) end();
      else signal.beat();
    },
    end,
    leave: end,
  });
  const stream = Readable.from(
    linesOf((last, limit) => read(user.ownerId, id, last, limit), { since, hasEnded }, signal),
    { objectMode: false, highWaterMark },
  );
  stream.once('close', () => {
    signal.end();
    unfollow();
  });
  return stream;
}

/**
 * Calls `change` at each change of a run until the returned function is called, and counts as an open connection so long. Throws `too_many_requests`
 * when the account or the key has too many.
 */
export function followRun(
  { bus, connections }: FollowDeps,
  user: Member,
  id: string,
  { change, ...watched }: Pick<OpenConnection, 'heartbeat' | 'end' | 'leave'> & { change: () => void },
): () => void {
  connections.checkLimits(user);
  const unsubscribe = bus.subscribe(user.ownerId, (message) => {
    if (message.type === 'session_ended') connections.endSession(message.sessionId);
    else if (message.type === 'pipeline_update' && message.executionId === id) change();
  });
  const forget = connections.add({ userId: user.ownerId, sessionId: user.sessionId, goodUntil: user.tokenGoodUntil, ...watched });
  return () => {
    unsubscribe();
    forget();
  };
}

async function* linesOf(
  read: (since: number, limit: number) => Promise<ExecutionEvent[]>,
  { since, hasEnded }: Omit<StreamedRun, 'id'>,
  signal: Signal,
): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`;
  let last = since;
  while (!signal.hasEnded) {
    signal.clear();
    const events = await read(last, readAtOnce);
    for (const event of events) {
      yield `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      last = event.seq;
    }
    if (events.length === readAtOnce) continue;
    if (hasEnded || isOver(events.at(-1))) return;
    if (signal.takeHeartbeat()) yield ': here\n\n';
    else if (events.length === 0) await signal.raised();
  }
}

/** A run may be told what a cancelled step has cost after its end: such an event ends a stream too. */
function isOver(event: ExecutionEvent | undefined): boolean {
  return event !== undefined && ['completed', 'failed', 'cancelled'].includes(event.status);
}

/** Wakes the reader of a run: for new events, for a heartbeat, and at its end. */
export class Signal {
  hasEnded = false;
  unreadHeartbeats = 0;
  #isRaised = false;
  #wake = () => {};

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  clear(): void {
    this.#isRaised = false;
  }

  /** Resolves at the next call of `raise`, or at once after one since `clear`. */
  raised(): Promise<void> {
    if (this.#isRaised || this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Resolves as `raised` does, or after a time (ms). */
  async raisedWithin(ms: number): Promise<void> {
    const timer = setTimeout(() => this.raise(), ms);
    await this.raised();
    clearTimeout(timer);
  }

  beat(): void {
    this.unreadHeartbeats++;
    this.raise();
  }

  takeHeartbeat(): boolean {
    const isDue = this.unreadHeartbeats > 0;
    this.unreadHeartbeats = 0;
    return isDue;
  }

  end(): void {
    this.hasEnded = true;
    this.raise();
  }
}
