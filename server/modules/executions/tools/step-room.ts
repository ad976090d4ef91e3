import type { AgentWork } from '../../../../contract/agent.ts';
import type { RoomReached } from '../../../../contract/executions/question.ts';
import { stepRoom } from '../../../../contract/step-room.ts';
import type { RoomOfProject } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { StoredRoom } from '../store/tables.ts';
import type { StoredTurn } from './stored-turns.ts';

/** The most turns of a model in one step, with its answer, and the most calls of them together. */
export type Room = { turns: number; calls: number };

/** The longest that the turns of a step may be together (UTF-16 units): all of them are in memory while it works. */
export const maxTurnsLength = 16 * 1024 * 1024;

/** The model is told what is left once no more than this part of it is. */
const toldFrom = 0.2;

/** Returns the room of an agent's step: as the agent says, or else its project, or else the usual one. */
export function roomOf(work: Pick<AgentWork, 'maxTurns' | 'maxCalls'> | null, project: RoomOfProject): Room {
  return {
    turns: work?.maxTurns ?? project.maxTurns ?? stepRoom.turns.usual,
    calls: work?.maxCalls ?? project.maxCalls ?? stepRoom.calls.usual,
  };
}

/** What a person has added to the room of a step's present answer, and what its model was told of it. */
export function roomOfStep({ room, turnsFrom }: Pick<StepRow, 'room' | 'turnsFrom'>): StoredRoom {
  return room?.from === turnsFrom ? room : { from: turnsFrom, turns: 0, calls: 0, told: [], isTold: false };
}

/** Returns what a step has used up before its next turn, or before the next of its calls; null where it goes on. */
export function reachedBy(
  turns: readonly StoredTurn[],
  { turns: mostTurns, calls: mostCalls }: Room,
  added: StoredRoom,
): RoomReached | null {
  const calls = turns.flatMap((turn) => turn.calls);
  const nextCall = calls.findIndex(({ state }) => state === 'pending');
  const callLimit = mostCalls + added.calls;
  if (nextCall >= callLimit) return { kind: 'calls', limit: callLimit, used: nextCall, more: mostCalls };
  // Calls that have not ended belong to a turn that has begun.
  if (nextCall >= 0) return null;
  const turnLimit = mostTurns + added.turns;
  if (turns.length >= turnLimit) return { kind: 'turns', limit: turnLimit, used: turns.length, more: mostTurns };
  const length = lengthOf(turns);
  return length > maxTurnsLength ? { kind: 'length', limit: maxTurnsLength, used: length, more: 0 } : null;
}

/** Returns what is left of the room after so many turns and calls. */
export function leftOf({ turns, calls }: Room, added: StoredRoom, used: Room): Room {
  return { turns: Math.max(0, turns + added.turns - used.turns), calls: Math.max(0, calls + added.calls - used.calls) };
}

/** Whether a model is told what is left: a fifth of its turns or calls, or a single one. */
export function isNearlyUsed(left: Room, { turns, calls }: Room, added: StoredRoom): boolean {
  const isLow = (rest: number, most: number) => rest <= Math.max(1, Math.floor(most * toldFrom));
  return isLow(left.turns, turns + added.turns) || isLow(left.calls, calls + added.calls);
}

function lengthOf(turns: readonly StoredTurn[]): number {
  let length = 0;
  for (const { text, opaque, calls } of turns) {
    length += text.length + (opaque?.length ?? 0);
    for (const { args, result } of calls) length += args.length + (result?.length ?? 0);
  }
  return length;
}
