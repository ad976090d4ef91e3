import { mostCommandsOfAgent } from '../../../contract/command.ts';
import { survivingOutages } from '../../platform/database/surviving-outages.ts';
import type { Nodes } from '../../platform/nodes/nodes.ts';
import type { AgentService, AgentVoice } from '../agents/index.ts';
import { internalFailure } from '../executions/index.ts';
import type { Answered, AskModel } from './ask-model.ts';
import type { Desk } from './desk.ts';
import type { Finish } from './finish.ts';
import type { Follower } from './follower.ts';
import type { CommandRepository, TakenUp } from './repository.ts';
import type { CommandRow } from './rows.ts';
import type { Work, Works } from './works.ts';

export type WorkerDeps = {
  repository: CommandRepository;
  desk: Desk;
  works: Works;
  nodes: Nodes;
  agents: Pick<AgentService, 'voice'>;
  ask: AskModel;
  finish: Finish;
  follower: Follower;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
};

/** How soon a cancellation on another node is noticed (ms), and a place that became free there. */
const lookMs = 500;

/**
 * Carries commands out: each once, however often nodes die. A node that dies leaves rows that name it; another raises their `leg` and
 * asks the model again under the same key, and whoever still holds the older leg can change nothing.
 */
export function createWorker({ repository, desk, works, nodes, agents, ask, finish, follower, now, log }: WorkerDeps) {
  const closing = new AbortController();
  const lasting = <T>(work: () => Promise<T>) => survivingOutages(work, closing.signal);

  /** Carries out a command whose row is running. */
  const carryOut = async (work: Work, row: CommandRow, known?: AgentVoice): Promise<void> => {
    try {
      const voice = known ?? (await lasting(() => agents.voice(row.userId, row.agentId)));
      const answered = await ask(row, voice, work.dropped).catch((error: unknown) => broken(row, voice, error));
      works.close(work, answered && (await lasting(() => finish(row, answered))));
    } catch (error) {
      await letGo(work, error);
    }
    pump();
  };

  /** A fault of the server itself: nothing of its inside is told. */
  const broken = (row: CommandRow, voice: AgentVoice | null, error: unknown): Answered => {
    log.error({ err: error, commandId: row.id }, 'A command failed by a fault of the server.');
    const facts = { result: null, finish: null, provider: null, model: null, simulated: false, usage: null, executionTimeMs: 0 };
    const failure = internalFailure(row.language, { agent: voice?.title ?? row.agentId });
    return { ending: { ...facts, status: 'failed', error: failure }, thoughts: null };
  };

  /** A fault between two steps: the row is let go, and a later look for work takes it up. */
  const letGo = async (work: Work, error: unknown): Promise<void> => {
    if (!closing.signal.aborted) {
      log.error({ err: error, commandId: work.id }, 'A command was interrupted by a fault of the server.');
      await repository.release(work).catch(() => {});
    }
    works.drop(work);
  };

  /** Begins a command that has waited. */
  const begin = async (work: Work): Promise<void> => {
    try {
      const row = await lasting(() => repository.begin(work, mostCommandsOfAgent, now()));
      if (row) return await carryOut(work, row);
      const [lost] = await lasting(() => repository.lost([work]));
      if (lost !== undefined) works.drop(work);
      else if (works.find(work.id) === work) desk.putBack(work);
    } catch (error) {
      await letGo(work, error);
    }
  };

  const pump = (): void => {
    for (let next = desk.next(); next && !closing.signal.aborted; next = desk.next()) {
      const work = works.find(next.id);
      if (work) void begin(work);
    }
  };

  const takeUp = async (taken: TakenUp): Promise<void> => {
    const before = works.find(taken.id);
    if (before) works.drop(before);
    const { id, userId, agentId, leg, executionId } = taken;
    desk.takeUp({ id, userId, agentId }, executionId !== null);
    const work = works.open({ id, userId, agentId }, leg);
    const row = executionId === null ? null : await repository.find(userId, id);
    if (row) follower.follow(work, row);
  };

  nodes.onTakeUp(async (nodeId) => {
    if (closing.signal.aborted || desk.room() === 0) return;
    for (const taken of await repository.takeUp(nodeId, desk.room())) await takeUp(taken);
    pump();
  });
  nodes.onLost(() => {
    for (const work of works.all()) works.drop(work);
  });

  let looking = false;
  const look = async (): Promise<void> => {
    const known = works.all();
    if (looking || known.length === 0) return;
    looking = true;
    try {
      for (const id of await repository.lost(known)) {
        const work = known.find((one) => one.id === id);
        if (work) works.drop(work);
      }
      desk.unblock();
      pump();
    } catch (error) {
      log.warn({ err: error }, 'Whether commands were cancelled elsewhere is not known now.');
    } finally {
      looking = false;
    }
  };
  const clock = setInterval(() => void look(), lookMs);
  clock.unref();

  return {
    /** Works on a new command that is stored as running, waiting, or following a step. */
    start(work: Work, row: CommandRow, voice: AgentVoice): void {
      if (row.executionId !== null) follower.follow(work, row);
      else if (row.status === 'running') void carryOut(work, row, voice);
      else {
        desk.enqueue(work);
        pump();
      }
    },
    /** Looks for waiting commands that may begin. */
    pump,
    /** Lets go of everything; what is under way stays for the next process. */
    close() {
      closing.abort();
      clearInterval(clock);
      follower.close();
      for (const work of works.all()) works.drop(work);
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
