import { ResponseTooLong } from '../egress/egress.ts';
import { maxAnswerBytes } from './answer-text.ts';
import type { Hold, ModelToolCall } from './language-model.ts';

/** The most calls of one turn. */
export const maxCallsOfTurn = 32;
/** The longest arguments of one call (bytes of UTF-8). Those of all calls of a turn that are kept have `maxAnswerBytes` together. */
export const maxArgumentBytes = 256 * 1024;
/** What stands for arguments that are longer: the call is answered with the limit, and its turn goes back to the model with this. */
export const leftOutArguments = `{"leftOut":"arguments of more than ${maxArgumentBytes / 1024} KiB"}`;
/** What stands for arguments that have no room beside those of the other calls of their turn. */
export const leftOutTogether = `{"leftOut":"arguments of more than ${maxAnswerBytes / 1024} KiB together"}`;
/** The most that is read of the arguments of a turn (bytes of UTF-8): most of it is dropped while it comes. */
export const maxReadBytes = 4 * 1024 * 1024;
/** The longest name of a tool, and the longest id of a call (characters). */
const maxNameLength = 200;

type CallPiece = {
  /** The place of the call in its turn; pieces of one call have the same. */
  index: number;
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** Text that is added to the arguments, or the whole arguments as an object. */
  arguments?: unknown;
};
/** `bytes`: of all arguments that have come, also of those that are left out. */
type Collected = { id: string; name: string; arguments: string; bytes: number; isLeftOut: boolean };

/**
 * Collects a turn's calls of tools piece by piece. Arguments that are too long, alone or together, are not kept: `leftOutArguments` or `leftOutTogether` stand
 * for them. Throws `ResponseTooLong` past the other limits, and what `hold` throws.
 */
export function createToolCalls(hold?: Hold) {
  const calls: Collected[] = [];
  const byIndex = new Map<number, Collected>();
  let kept = 0;
  let read = 0;

  const callAt = ({ index, id }: CallPiece): Collected => {
    const known = byIndex.get(index);
    // Some servers send whole calls, each with the index 0 and an id of its own.
    if (known && (!id || known.id === '' || known.id === id)) return known;
    if (calls.length >= maxCallsOfTurn) throw new ResponseTooLong();
    const call = { id: '', name: '', arguments: '', bytes: 0, isLeftOut: false };
    calls.push(call);
    byIndex.set(index, call);
    return call;
  };

  return {
    /** Returns the place of the call in its turn, from 0. */
    add(piece: CallPiece): number {
      const call = callAt(piece);
      if (piece.id) call.id = piece.id;
      if (piece.name && call.name !== piece.name) call.name += piece.name;
      const added = textOf(piece.arguments);
      const size = Buffer.byteLength(added);
      read += size;
      if (read > maxReadBytes) throw new ResponseTooLong();
      if (call.name.length > maxNameLength || call.id.length > maxNameLength) throw new ResponseTooLong();
      hold?.(added.length);
      call.bytes += size;
      if (call.isLeftOut) return calls.indexOf(call);
      kept += size;
      call.arguments += added;
      if (call.bytes > maxArgumentBytes || kept > maxAnswerBytes) {
        kept -= call.bytes;
        call.arguments = '';
        call.isLeftOut = true;
      }
      return calls.indexOf(call);
    },
    /** Returns the arguments of a call as they are kept. `whole`: as its provider gives them. */
    kept: (place: number, whole: string): string => {
      const call = calls[place];
      return call?.isLeftOut ? standsFor(call) : whole;
    },
    /** Returns the calls in order. Each has an id that is unique in its turn. `isCut`: arguments may be missing. */
    finish(isCut = false): ModelToolCall[] {
      const written = (text: string) => (text.trim() === '' && !isCut ? '{}' : text);
      const argumentsOf = (call: Collected) => (call.isLeftOut ? standsFor(call) : written(call.arguments));
      return withUniqueIds(calls.map((call) => ({ id: call.id, name: call.name, arguments: argumentsOf(call) })));
    },
  };
}

function standsFor({ bytes }: Collected): string {
  return bytes > maxArgumentBytes ? leftOutArguments : leftOutTogether;
}

/** Gives calls without an id, or with that of an earlier call of the turn, one of their own. */
export function withUniqueIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const ids = new Set<string>();
  return calls.map((call, index) => {
    let id = call.id;
    for (let number = index + 1; id === '' || ids.has(id); number += 1) id = `${call.id || 'call'}_${number}`;
    ids.add(id);
    return { ...call, id };
  });
}

function textOf(given: unknown): string {
  if (given === null || given === undefined) return '';
  return typeof given === 'string' ? given : JSON.stringify(given);
}
