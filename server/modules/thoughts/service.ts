import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { BusStatus, Thought, ThoughtTest, thoughtPublication } from '../../../contract/executions/thought.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { type Bus, subjectOf } from '../../platform/bus/bus.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AgentService } from '../agents/index.ts';
import type { ProjectService } from '../projects/index.ts';
import { thoughtMessage, toThought } from './record-thought.ts';
import { type ThoughtFilter, type ThoughtRow, thoughtRepository } from './repository.ts';

type ThoughtsDeps = {
  db: Db;
  bus: Bus;
  newId: () => string;
  now: () => Date;
  agents: Pick<AgentService, 'get'>;
  projects: Pick<ProjectService, 'resolve'>;
  /** The path of the socket; null where sockets are switched off. */
  webSocket: string | null;
};

/** The time limit of a test for its own message (ms). */
const echoMs = 2_000;

type Page = { limit: number; offset: number };

/** The thoughts of agents. A user reads and receives those of the user's own agents only. */
export function createThoughts({ db, bus, newId, now, agents, projects, webSocket }: ThoughtsDeps) {
  const repository = thoughtRepository(db);

  const listed = async (userId: OwnerId, filter: ThoughtFilter, page: Page): Promise<{ items: Thought[]; total: number }> => {
    const { items, total } = await repository.list(userId, filter, page);
    return { items: items.map(toThought), total };
  };

  return {
    /** Throws `not_found` for an agent or a project that is not the user's. */
    async publish(
      userId: OwnerId,
      given: z.output<typeof thoughtPublication>,
      storeIdempotentResponse: StoreIdempotentResponse,
    ): Promise<Thought> {
      const [{ id: agentId }, projectId] = await Promise.all([
        agents.get(userId, given.agentId),
        given.projectId == null ? null : projects.resolve(userId, given.projectId),
      ]);
      const row: ThoughtRow = {
        id: newId(),
        userId,
        agentId,
        projectId,
        executionId: null,
        stepId: null,
        content: given.content,
        createdAt: now(),
      };
      const thought = toThought(row);
      await db.transaction(async (tx) => {
        await thoughtRepository(tx).add(row);
        await storeIdempotentResponse(tx, thought);
      });
      bus.publish(userId, thoughtMessage(row));
      return thought;
    },

    /** Returns an agent's thoughts, which stay when the agent is removed. Throws `not_found` for an unknown agent. */
    async ofAgent(userId: OwnerId, agentId: string, page: Page): Promise<{ items: Thought[]; total: number }> {
      const found = await listed(userId, { agentId }, page);
      if (found.total === 0) await agents.get(userId, agentId);
      return found;
    },

    async ofProject(userId: OwnerId, id: string, page: Page): Promise<{ items: Thought[]; total: number }> {
      return listed(userId, { projectId: await projects.resolve(userId, id) }, page);
    },

    /** Throws `not_found` for any user but the caller. */
    async ofUser(userId: OwnerId, id: string, page: Page): Promise<{ items: Thought[]; total: number }> {
      onlyOneself(userId, id);
      return listed(userId, {}, page);
    },

    /** Returns everything that the caller may read: the thoughts of the caller's agents. */
    all: (userId: OwnerId, page: Page) => listed(userId, {}, page),

    /** Returns the subject of an agent, a project or a user. Throws `not_found` for a foreign one. */
    async followed(userId: OwnerId, what: { agentId: string } | { projectId: string } | { userId: string } | null): Promise<ThoughtFilter> {
      if (what === null) return {};
      if ('agentId' in what) return { agentId: (await agents.get(userId, what.agentId)).id };
      if ('projectId' in what) return { projectId: await projects.resolve(userId, what.projectId) };
      onlyOneself(userId, what.userId);
      return {};
    },

    /** Returns the stored thoughts after a listener's last one, oldest first. */
    after: repository.after,

    busStatus: (userId: OwnerId): BusStatus => ({ ...bus.state(), subject: subjectOf(userId), webSocket }),

    /** Publishes a thought that is not stored and waits until the bus returns it, for at most 2 s. Throws `not_found`. */
    async test(userId: OwnerId, agentId: string, language: Language): Promise<ThoughtTest> {
      const agent = await agents.get(userId, agentId);
      return awaitEcho(bus, { userId, agentId, content: `${translate(language, 'thought.test', { agent: agent.title })} ${newId()}` });
    },
  };
}

export type Thoughts = ReturnType<typeof createThoughts>;

async function awaitEcho(
  bus: Bus,
  { userId, agentId, content }: { userId: OwnerId; agentId: string; content: string },
): Promise<ThoughtTest> {
  const begun = elapsed();
  let stop = () => {};
  const echo = new Promise<number>((resolve) => {
    stop = bus.subscribe(userId, (message) => {
      if (message.type === 'agent_thought' && message.content === content) resolve(elapsed() - begun);
    });
  });
  const rest = new AbortController();
  try {
    bus.publish(userId, { type: 'agent_thought', agentId, content, partial: false, projectId: null, executionId: null, stepId: null });
    const ms = await Promise.race([echo, wait(echoMs, null, { signal: rest.signal })]);
    const { mode, connected } = bus.state();
    return {
      published: connected,
      received: ms !== null,
      roundTripMs: ms === null ? null : Math.round(ms * 1_000) / 1_000,
      subject: subjectOf(userId),
      bus: { mode, connected },
    };
  } finally {
    stop();
    rest.abort();
  }
}

function onlyOneself(userId: OwnerId, id: string): void {
  if (id !== userId) throw new ApiError('not_found');
}
