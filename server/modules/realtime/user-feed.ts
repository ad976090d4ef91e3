import type { ServerMessage } from '../../../contract/realtime.ts';
import { createPendingTexts, isPartialText } from '../../platform/bus/pending-texts.ts';

export type PipelineUpdate = Extract<ServerMessage, { type: 'pipeline_update' }>;

export type UserFeedDeps = {
  send: (message: ServerMessage) => void;
  /** Resolves when a client that is behind has caught up; null for one that is not. */
  room: () => Promise<void> | null;
  /** Reads the stored events of the user's executions after the numbers in `since`, by execution id, page by page. */
  missed: (since: Record<string, number>) => AsyncIterable<PipelineUpdate[]>;
  /** The client cannot be served any more: what it missed could not be read, or more waits for it than is kept. */
  onFailed: (error: unknown) => void;
};

type Item = { live: ServerMessage } | { since: Record<string, number> };

/** Executions of which is remembered how far the client has come; those that have been quiet longest are forgotten first. */
const mostRemembered = 1_000;
/** Messages that wait while the client is told what it missed. */
const mostWaiting = 10_000;

/**
 * Hands one client its user's messages in order. Of each execution every event goes out once, in the order of `seq`: what
 * the bus skipped or swapped is read from the log. Live messages wait until `begin`, or until the client has said what it
 * has, so that nothing new overtakes what it missed. To one who has said so, also an execution that it did not know of is told from
 * its beginning. Streamed texts wait beside the queue, merged, so that they add nothing to it.
 */
export function createUserFeed({ send, room, missed, onFailed }: UserFeedDeps) {
  /** The last `seq` that went out, by execution. */
  const sent = new Map<string, number>();
  const waiting: Item[] = [];
  const texts = createPendingTexts();
  let begun = false;
  let resumed = false;
  let working = false;
  let ended = false;
  /** The newest `since`: an older replay stops, for the newest wins. */
  let newest: Record<string, number> | null = null;

  const remember = (executionId: string, seq: number) => {
    sent.delete(executionId);
    sent.set(executionId, seq);
    if (sent.size <= mostRemembered) return;
    for (const oldest of sent.keys()) {
      sent.delete(oldest);
      return;
    }
  };

  const pass = (message: PipelineUpdate) => {
    if (message.seq <= (sent.get(message.executionId) ?? 0)) return;
    remember(message.executionId, message.seq);
    send(message);
  };

  const catchUp = async (since: Record<string, number>, isCurrent = () => true) => {
    for await (const page of missed(since)) {
      for (const message of page) {
        if (ended || !isCurrent()) return;
        pass(message);
        const full = room();
        if (full) await full;
      }
    }
  };

  const replay = async (since: Record<string, number>) => {
    for (const [executionId, seq] of Object.entries(since)) remember(executionId, seq);
    await catchUp(since, () => newest === since);
  };

  const handle = (item: Item): Promise<void> | null => {
    if ('since' in item) return replay(item.since);
    if (item.live.type !== 'pipeline_update') send(item.live);
    else {
      const last = sent.get(item.live.executionId) ?? (resumed ? 0 : undefined);
      if (last !== undefined && item.live.seq > last + 1) return catchUp({ [item.live.executionId]: last });
      pass(item.live);
    }
    return null;
  };

  /** Handles what waits, in order; without a turn of the event loop while nothing has to be read. */
  const work = async () => {
    if (working || !begun) return;
    working = true;
    for (let item = waiting.shift(); item && !ended; item = waiting.shift()) {
      try {
        const rest = handle(item);
        if (rest) await rest;
      } catch (error) {
        onFailed(error);
      }
    }
    working = false;
    if (!ended) for (const text of texts.take()) send(text);
  };

  const begin = () => {
    begun = true;
    void work();
  };

  return {
    begin,
    /** A message from the bus. */
    offer(live: ServerMessage) {
      if (isPartialText(live) && (working || !begun)) return texts.add(live);
      if (waiting.length >= mostWaiting) onFailed(new Error('More messages wait than are kept.'));
      else waiting.push({ live });
      void work();
    },
    /** What the client says it has: everything after that goes out. One replay at a time; a newer one takes the place of the one before. */
    resume(since: Record<string, number>) {
      resumed = true;
      newest = since;
      const older = waiting.findIndex((item) => 'since' in item);
      if (older >= 0) waiting.splice(older, 1);
      // Nothing that waits may overtake what was missed.
      waiting.unshift({ since });
      begin();
    },
    /** The client is gone. */
    end() {
      ended = true;
      waiting.length = 0;
      texts.clear();
    },
  };
}
