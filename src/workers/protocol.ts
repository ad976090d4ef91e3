import type { Patch } from 'immer';
import type { CanvasDocument } from '../../contract/canvas.ts';
import type { Command, CommandResult } from '../model/commands.ts';
import type { Outcome } from '../model/problem.ts';
import type { Read } from '../model/reader.ts';
import type { RunState, WorkspaceState } from '../model/workspace-state.ts';

/** What the page tells the engine of the signed-in session, at start and after each change. */
export type EngineSession = { accessToken: string; apiBase: string; userId: string };

/** Where the workspace's content comes from. */
export type EngineSource =
  | { kind: 'server'; projectId: string; session: EngineSession; language: string; realtime: 'auto' | 'off' }
  /** A document that lives in this browser alone: no login, no call, nothing stored. */
  | { kind: 'local'; document: CanvasDocument; language?: string }
  /** A demonstration with a script of its own: no login, no call, nothing stored. */
  | { kind: 'demo'; projectId: string; language: string };

export type OpenOptions = {
  source: EngineSource;
  /** Stable for the life of a tab; names its journal and marks its saves. */
  tabId: string;
  /** How long the engine that this tab had before may take to let go of the name (ms). */
  tabWaitMs?: number;
  /** What the page last knew, handed over when a new worker takes the place of a dead one. */
  recovered?: Recovered | null;
};

export type Recovered = {
  document: CanvasDocument;
  version: number;
  projectId: string;
  /** The page knew of edits that the server did not have. */
  unsaved?: boolean;
};

export type Snapshot = { epoch: string; seq: number; state: WorkspaceState };

/** Changes since the state before: `seq` grows by one; a gap or another `epoch` means that a snapshot is needed. */
export type Update = { epoch: string; seq: number; patches: Patch[] };

/** The outcome of a command, and the update after which the replica shows what it did. */
export type Reply = { outcome: Outcome<CommandResult>; epoch: string; seq: number };

/** The worker's face to the page. */
export type EngineApi = {
  /** Opens the workspace and posts every later change to `onUpdate`. */
  open(options: OpenOptions, onUpdate: (update: Update) => void): Promise<Snapshot>;
  snapshot(): Promise<Snapshot>;
  /** The name that the tab has got: another one than was given where a live tab has that one. */
  tabId(): Promise<string>;
  dispatch(command: Command): Promise<Reply>;
  read: Read;
  setSession(session: EngineSession | null): Promise<void>;
  setLanguage(language: string): Promise<void>;
  /** Replaces the whole document of a local workspace, and the run shown on it. */
  loadDocument(document: CanvasDocument, run?: RunState): Promise<void>;
  /** Answers at once; a worker that does not is taken for dead. */
  ping(): Promise<void>;
  /** Writes what is pending, as far as it can, and stops every timer. */
  close(): Promise<void>;
};
