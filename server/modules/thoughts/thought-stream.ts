import type { Readable } from 'node:stream';
import type { Member } from '../../http/call.ts';
import { createEventStream, type StreamEvent } from '../../http/event-stream.ts';
import type { OpenConnections } from '../../http/limits/open-connections.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { createPendingTexts, type PartialThought } from '../../platform/bus/pending-texts.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type ThoughtMessage, thoughtMessage } from './record-thought.ts';
import type { ThoughtFilter, ThoughtRow } from './repository.ts';

export type ThoughtStreamDeps = {
  bus: Pick<Bus, 'publish' | 'subscribe'>;
  connections: Pick<OpenConnections, 'add' | 'checkLimits' | 'endSession'>;
  /** Returns stored thoughts after one, oldest first. */
  after: (userId: OwnerId, filter: ThoughtFilter, lastId: string, limit: number) => Promise<ThoughtRow[]>;
};

/** The number of missed thoughts in one query. */
const readAtOnce = 200;

/**
 * Streams the thoughts of a user's agents, after those that a returning client has missed since `lastId`. Streamed
 * texts are sent too, without an id; for a slow client they wait as one event for each text. The stream ends with the
 * session. Throws `too_many_requests` when the account has too many connections.
 */
export function streamThoughts({ bus, connections, after }: ThoughtStreamDeps, user: Member, filter: ThoughtFilter, lastId: string | null) {
  connections.checkLimits(user);
  async function* missed(): AsyncGenerator<StreamEvent> {
    for (let last = lastId; last !== null; ) {
      const rows = await after(user.ownerId, filter, last, readAtOnce);
      for (const row of rows) yield eventOf(thoughtMessage(row));
      last = rows.length < readAtOnce ? null : (rows.at(-1)?.id ?? null);
    }
  }

  const texts = createPendingTexts<PartialThought>();
  const events = createEventStream(
    missed(),
    () => {
      unsubscribe();
      forget();
      texts.clear();
    },
    () => texts.take().map(eventOf),
  );
  const unsubscribe = bus.subscribe(user.ownerId, (message) => {
    if (message.type === 'session_ended') connections.endSession(message.sessionId);
    else if (message.type !== 'agent_thought' || !fits(message, filter)) return;
    else if (message.partial) {
      texts.add({ ...message, partial: true });
      events.wake();
    } else events.push(eventOf(message));
  });
  // Texts that are streaming now are sent from their beginning.
  bus.publish(user.ownerId, { type: 'texts_wanted' });
  const forget = connections.add({
    userId: user.ownerId,
    sessionId: user.sessionId,
    goodUntil: user.tokenGoodUntil,
    heartbeat: events.heartbeat,
    end: events.end,
    leave: events.end,
  });
  return events.stream satisfies Readable;
}

function fits(message: ThoughtMessage, { agentId, projectId }: ThoughtFilter): boolean {
  return (agentId === undefined || message.agentId === agentId) && (projectId === undefined || message.projectId === projectId);
}

function eventOf(message: ThoughtMessage): StreamEvent {
  return { ...(message.thoughtId !== undefined && { id: message.thoughtId }), data: message };
}
