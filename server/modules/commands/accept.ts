import { mostCommandsOfAgent } from '../../../contract/command.ts';
import type { KeepAnswer } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { asSql } from '../../platform/database/statement.ts';
import type { Nodes } from '../../platform/nodes/nodes.ts';
import type { AgentVoice } from '../agents/index.ts';
import { type ExecutionStandings, placeKey, type StepPlace } from '../executions/index.ts';
import type { Admission, Desk, Ticket } from './desk.ts';
import { mirrorStep } from './mirror-step.ts';
import { commandRepository } from './repository.ts';
import { type CommandRow, hasEnded, toState } from './rows.ts';
import { insertion } from './statements.ts';
import type { Worker } from './worker.ts';
import type { Works } from './works.ts';

export type AcceptDeps = {
  db: Db;
  run: RunStatement;
  nodes: Pick<Nodes, 'id'>;
  standings: ExecutionStandings['standings'];
  desk: Desk;
  works: Works;
  worker: Worker;
  newId: () => string;
  now: () => Date;
};

/** What somebody asks of an agent. */
export type Asked = Pick<
  CommandRow,
  'userId' | 'projectId' | 'kind' | 'request' | 'initialTask' | 'task' | 'parameters' | 'data' | 'messages' | 'sentAt' | 'language'
>;

/** When a caller who was sent away for want of room may come again (s). */
const comeAgainSeconds = 5;

/** Takes new commands in: stores them with their answers and puts them to work. */
export function createAccept({ db, run, nodes, standings, desk, works, worker, newId, now }: AcceptDeps) {
  /** Stores a command and answers it as stored. `keep` is null for a call without a key, which needs no transaction of its own. */
  const store = async (row: CommandRow, runs: boolean, keep: KeepAnswer | null): Promise<CommandRow> => {
    const gate = { open: runs, nodeId: row.nodeId ?? '', runningHere: desk.runningOf(row.agentId), most: mostCommandsOfAgent };
    const statement = insertion(row, gate);
    const stored = (running: boolean): CommandRow =>
      running ? { ...row, status: 'running', attempts: 1, startedAt: row.createdAt } : { ...row, status: 'pending' };
    if (keep === null) return stored((await run(statement)).length === 1);
    return db.transaction(async (tx) => {
      const after = stored((await tx.execute(asSql(statement))).rows.length === 1);
      await keep(tx, toState(after));
      return after;
    });
  };

  /** Stores a command that has joined a step, as the step stands. */
  const storeFollower = async (row: CommandRow, keep: KeepAnswer | null): Promise<CommandRow> => {
    const place = placeOf(row);
    const mirrored = mirrorStep((await standings([place])).get(placeKey(place)));
    const after: CommandRow =
      mirrored.kind === 'waits'
        ? { ...row, status: mirrored.status, startedAt: mirrored.status === 'running' ? row.createdAt : null }
        : { ...row, ...mirrored.ending, startedAt: row.createdAt, completedAt: row.createdAt };
    await db.transaction(async (tx) => {
      await commandRepository(tx).insert(after);
      await keep?.(tx, toState(after));
    });
    return after;
  };

  return async (asked: Asked, voice: AgentVoice, joined: StepPlace | null, keep: KeepAnswer | null): Promise<CommandRow> => {
    const ticket: Ticket = { id: newId(), userId: asked.userId, agentId: voice.id };
    const { admission, runs } = joined ? { admission: desk.admitFollower(ticket), runs: false } : desk.admit(ticket);
    if (admission !== 'in') throw refusal(admission);
    const row = newRow({ ...asked, ...ticket, ...(joined ?? { executionId: null, stepId: null }), nodeId: nodes.id() }, now());
    let stored: CommandRow;
    try {
      stored = joined ? await storeFollower(row, keep) : await store(row, runs, keep);
    } catch (error) {
      desk.leave(ticket);
      worker.pump();
      throw error;
    }
    if (hasEnded(stored)) {
      desk.leave(ticket);
      return stored;
    }
    if (runs && stored.status === 'pending') desk.putBack(ticket);
    worker.start(works.open(ticket, stored.leg), stored, voice);
    return stored;
  };
}

export type Accept = ReturnType<typeof createAccept>;

function refusal(admission: Exclude<Admission, 'in'>): Fault {
  return new Fault(admission === 'full' ? 'unavailable' : 'too_many_requests', { retryAfterSeconds: comeAgainSeconds });
}

function placeOf({ executionId, stepId }: CommandRow): StepPlace {
  if (executionId === null || stepId === null) throw new Error('The command has joined no step.');
  return { executionId, stepId };
}

type Given = Asked & Ticket & Pick<CommandRow, 'executionId' | 'stepId' | 'nodeId'>;

function newRow(given: Given, now: Date): CommandRow {
  return {
    ...given,
    ...{ status: 'pending', leg: 1, attempts: 0, result: null, finish: null, error: null, provider: null, model: null },
    ...{ simulated: false, usage: null, executionTimeMs: null, startedAt: null, completedAt: null, createdAt: now, updatedAt: now },
  };
}
