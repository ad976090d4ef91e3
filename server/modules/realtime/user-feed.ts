import type { ServerMessage } from '../../../contract/realtime.ts';
import { createPendingTexts, isPartialText, type PartialText } from '../../platform/bus/pending-texts.ts';

export type PipelineUpdate = Extract<ServerMessage, { type: 'pipeline_update' }>;

type UserFeedDeps = {
  send: (message: ServerMessage) => void;
  /** Resolves when a slow client has caught up; null for a client that is not slow. */
  whenDrained: () => Promise<void> | null;
  /** Reads the stored events of the user's executions after the numbers in `since`, by execution id, page by page. */
  missed: (since: Record<string, number>) => AsyncIterable<PipelineUpdate[]>;
  /** Ends the feed: missed events could not be read, or too many messages wait. */
  onFailed: (error: unknown) => void;
};

type Item = { live: ServerMessage } | { since: Record<string, number> };

/** The number of executions whose last sent event is remembered. The least recently active are forgotten first. */
const maxRemembered = 1_000;
/** The number of messages that may wait while the client gets missed events. */
const maxWaiting = 10_000;

/**
 * Sends one client its user's messages in order. Every event of an execution is sent once, in the order of `seq`: events that
 * the bus skipped or swapped are read from the log. Live messages wait until `begin`, or until the client has sent `since`,
 * so that no new event overtakes a missed one. A client that has sent `since` also gets an execution that it did not know, from
 * its beginning. Streamed texts wait beside the queue, merged, and add nothing to it.
 */
export function createUserFeed({ send, whenDrained, missed, onFailed }: UserFeedDeps) {
  const sent = createSentSeqs();
  const waiting: Item[] = [];
  const texts = createPendingTexts<PartialText>();
  let hasBegun = false;
  let hasResumed = false;
  let isWorking = false;
  let hasEnded = false;
  /** The newest `since`: it stops an older replay. */
  let newest: Record<string, number> | null = null;

  const pass = (message: PipelineUpdate) => {
    if (message.seq <= (sent.get(message.executionId) ?? 0)) return;
    sent.set(message.executionId, message.seq);
    send(message);
  };

  const catchUp = async (since: Record<string, number>, isCurrent = () => true) => {
    for await (const page of missed(since)) {
      for (const message of page) {
        if (hasEnded || !isCurrent()) return;
        pass(message);
        const drained = whenDrained();
        if (drained) await drained;
      }
    }
  };

  const replay = async (since: Record<string, number>) => {
    for (const [executionId, seq] of Object.entries(since)) sent.set(executionId, seq);
    await catchUp(since, () => newest === since);
  };

  const handle = (item: Item): Promise<void> | null => {
    if ('since' in item) return replay(item.since);
    if (item.live.type !== 'pipeline_update') send(item.live);
    else {
      const last = sent.get(item.live.executionId) ?? (hasResumed ? 0 : undefined);
      if (last !== undefined && item.live.seq > last + 1) return catchUp({ [item.live.executionId]: last });
      pass(item.live);
    }
    return null;
  };

  /** Handles waiting messages in order, synchronously until one needs a query. */
  const work = async () => {
    if (isWorking || !hasBegun) return;
    isWorking = true;
    for (let item = waiting.shift(); item && !hasEnded; item = waiting.shift()) {
      try {
        const rest = handle(item);
        if (rest) await rest;
      } catch (error) {
        onFailed(error);
      }
    }
    isWorking = false;
    if (!hasEnded) for (const text of texts.take()) send(text);
  };

  const begin = () => {
    hasBegun = true;
    void work();
  };

  return {
    begin,
    /** Handles a message of the bus. */
    offer(live: ServerMessage) {
      if (isPartialText(live) && (isWorking || !hasBegun)) return texts.add(live);
      if (waiting.length >= maxWaiting) onFailed(new Error('More messages wait than are kept.'));
      else waiting.push({ live });
      void work();
    },
    /** Handles the client's `since`: every later event is sent. A newer `since` replaces an unfinished replay. */
    resume(since: Record<string, number>) {
      hasResumed = true;
      newest = since;
      const older = waiting.findIndex((item) => 'since' in item);
      if (older >= 0) waiting.splice(older, 1);
      // A waiting message must not overtake a missed event.
      waiting.unshift({ since });
      begin();
    },
    /** Ends the feed when the client is gone. */
    end() {
      hasEnded = true;
      waiting.length = 0;
      texts.clear();
    },
  };
}

/** Keeps the last sent `seq`, by execution. */
function createSentSeqs() {
  const sent = new Map<string, number>();
  return {
    get: (executionId: string) => sent.get(executionId),
    set(executionId: string, seq: number) {
      sent.delete(executionId);
      sent.set(executionId, seq);
      if (sent.size <= maxRemembered) return;
      for (const oldest of sent.keys()) {
        sent.delete(oldest);
        return;
      }
    },
  };
}
