import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Command, CommandResult } from '../../model/commands.ts';
import type { DocumentChange } from '../../model/document/working-document.ts';
import type { Outcome } from '../../model/problem.ts';
import type { BackendError } from './backends/port.ts';
import type { UndoEdit } from './environment/environment.ts';

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>;

/** The handlers of some types of command, one function each. */
export type Handlers<T extends CommandType = CommandType> = {
  [K in T]: (command: CommandOf<K>) => Outcome<CommandResult> | Promise<Outcome<CommandResult>>;
};

/** Events of the engine that concern more than one module. */
type Hooks = {
  /** The server sent a message over the socket. */
  onMessage(message: ServerMessage): void;
  /** A call of the backend has ended; null after a success. */
  onAnswer(fault: BackendError | null): void;
  /** The server is reachable again: waiting work may continue, and messages may have been missed. */
  onOnline(): void;
  /** The document was edited; null when only the undo steps have changed. */
  onEdited(change: DocumentChange | null, undo: UndoEdit): void;
  /** The server's project is shown: at first, and after each reload. */
  onProjectOpened(): void;
  /** The open project was removed, or its canvas now belongs to another project: it is no longer read or saved. */
  onProjectGone(): void;
  /** The user starts a run, or sends a message to one. */
  onRunRequested(): void;
  /** The shown run has ended, with any outcome. */
  onRunEnded(executionId: string): void;
};

export type Notify = <K extends keyof Hooks>(hook: K, ...values: Parameters<Hooks[K]>) => void;

/** One feature of the engine: handles its commands and listens to events. `T`: the types of its commands. */
export type EngineModule<T extends CommandType = never> = Partial<Hooks> & {
  handlers: Handlers<T>;
  /** Stops timers immediately. Resolves when pending data has reached the server, or cannot reach it. */
  close?(): void | Promise<void>;
};

/** Puts the modules' handlers into one table. Does not compile when two have a handler for the same type of command. */
export function mergeHandlers<const M extends readonly WithHandlers[]>(...modules: M & Distinct<HandlersOf<M>>): Merged<HandlersOf<M>> {
  return Object.assign({}, ...modules.map(({ handlers }) => handlers));
}

type WithHandlers = { handlers: object };
type HandlersOf<M extends readonly WithHandlers[]> = { [K in keyof M]: M[K]['handlers'] };

type Merged<H extends readonly object[]> = H extends readonly [infer First, ...infer Rest extends readonly object[]]
  ? First & Merged<Rest>
  : unknown;

type Distinct<H extends readonly object[]> = H extends readonly [infer First, ...infer Rest extends readonly object[]]
  ? [keyof First & KeyOf<Rest[number]>] extends [never]
    ? readonly [{ handlers: First }, ...Distinct<Rest>]
    : never
  : readonly [];

/** The keys of each type of a union. */
type KeyOf<T> = T extends unknown ? keyof T : never;
