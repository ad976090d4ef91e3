import type { ServerMessage } from '../../../contract/realtime.ts';

export type PipelineUpdate = Extract<ServerMessage, { type: 'pipeline_update' }>;

export type UserFeedDeps = {
  send: (message: ServerMessage) => void;
  /** What was stored of the user's own execution after `since`, in order; nothing for any other. */
  missed: (executionId: string, since: number) => Promise<PipelineUpdate[]>;
  onError: (error: unknown) => void;
};

type Item = { live: ServerMessage } | { since: Record<string, number> };

/**
 * Hands one client its user's messages in order. Of each execution every event goes out once, in the order of `seq`: what
 * the bus skipped or swapped is read from the log. Live messages wait until `begin`, or until the client has said what it
 * has, so that nothing new overtakes what it missed.
 */
export function createUserFeed({ send, missed, onError }: UserFeedDeps) {
  /** The last `seq` that went out, by execution. */
  const sent = new Map<string, number>();
  const waiting: Item[] = [];
  let begun = false;
  let working = false;

  const pass = (message: PipelineUpdate) => {
    if (message.seq <= (sent.get(message.executionId) ?? 0)) return;
    sent.set(message.executionId, message.seq);
    send(message);
  };

  const catchUp = async (executionId: string, since: number) => {
    for (const message of await missed(executionId, since)) pass(message);
  };

  const handle = (item: Item): Promise<void> | null => {
    if ('since' in item) return replay(item.since);
    if (item.live.type !== 'pipeline_update') send(item.live);
    else {
      const last = sent.get(item.live.executionId);
      if (last !== undefined && item.live.seq > last + 1) return catchUp(item.live.executionId, last);
      pass(item.live);
    }
    return null;
  };

  const replay = async (since: Record<string, number>) => {
    for (const [executionId, seq] of Object.entries(since)) {
      sent.set(executionId, seq);
      await catchUp(executionId, seq);
    }
  };

  /** Handles what waits, in order; without a turn of the event loop while nothing has to be read. */
  const work = async () => {
    if (working || !begun) return;
    working = true;
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      try {
        const rest = handle(item);
        if (rest) await rest;
      } catch (error) {
        onError(error);
      }
    }
    working = false;
  };

  const begin = () => {
    begun = true;
    void work();
  };

  return {
    begin,
    /** A message from the bus. */
    offer(live: ServerMessage) {
      waiting.push({ live });
      void work();
    },
    /** What the client says it has: everything after that goes out. */
    resume(since: Record<string, number>) {
      if (begun) waiting.push({ since });
      else waiting.unshift({ since });
      begin();
    },
  };
}
