import type { Patch } from 'immer';
import type { CanvasDocument } from '../../contract/canvas.ts';
import type { ExecutionEvent } from '../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { Call } from '../model/call.ts';
import type { Command, CommandResult } from '../model/commands.ts';
import type { Outcome } from '../model/problem.ts';
import type { RunState, WorkspaceState } from '../model/workspace-state.ts';

/** The signed-in session: the page sends it at the start and after each change. */
export type EngineSession = { accessToken: string; apiBase: string; userId: string };

/** The source of the workspace's content. */
export type EngineSource =
  | { kind: 'server'; projectId: string; session: EngineSession; language: string; realtime: 'auto' | 'off' }
  /** A document without a server: no login, no calls, nothing stored. */
  | { kind: 'local'; document: CanvasDocument; language?: string }
  /** The demonstration, which plays a script: no login, no calls, nothing stored. */
  | { kind: 'demo'; projectId: string; language: string };

export type OpenOptions = {
  source: EngineSource;
  /** The tab's name while it is open: the name of its journal, sent with its saves. */
  tabId: string;
  /** How long this tab's engine before may take to release the name (ms). */
  tabWaitMs?: number;
  /** The page's last document, sent when a new worker replaces a dead one. */
  recovered?: Recovered | null;
};

export type Recovered = {
  document: CanvasDocument;
  version: number;
  projectId: string;
  /** The document has edits that the server did not have. */
  unsaved?: boolean;
};

/** `begun`: the commands that this engine had begun, in the order in which the page sent them. The state has nothing of later ones. */
export type Snapshot = { epoch: string; seq: number; begun: number; state: WorkspaceState };

/** Changes since the state before: `seq` grows by one; a gap or another `epoch` means that a snapshot is needed. */
export type Update = { epoch: string; seq: number; begun: number; patches: Patch[] };

/** The outcome of a command, and the number of the update that contains its changes. */
export type Reply = { outcome: Outcome<CommandResult>; epoch: string; seq: number };

/** The calls that the worker offers to the page. */
export type EngineApi = {
  /** Opens the workspace and posts every later change to `onUpdate`. */
  open(options: OpenOptions, onUpdate: (update: Update) => void): Promise<Snapshot>;
  snapshot(): Promise<Snapshot>;
  /** The tab's name: a new one if another open tab has the given one. */
  tabId(): Promise<string>;
  dispatch(command: Command): Promise<Reply>;
  /** Makes a call of the page by its route's name. */
  call: Call;
  setSession(session: EngineSession | null): Promise<void>;
  setLanguage(language: string): Promise<void>;
  /** Replaces the whole document of a local workspace, and the run shown on it. `pipeline`: what the run follows. */
  loadDocument(document: CanvasDocument, run?: RunState, pipeline?: Pipeline): Promise<void>;
  /** Applies events to the run of a local workspace, as those of a server. */
  applyEvents(events: readonly ExecutionEvent[]): Promise<void>;
  /** Answers immediately; a worker that does not counts as dead. */
  ping(): Promise<void>;
  /** Writes pending data, as far as possible, and stops every timer. */
  close(): Promise<void>;
};

/** The engine in its worker. */
export type ServedEngine = EngineApi & {
  /** The name of a Web Lock that the worker holds until it ends; null in a browser without locks. */
  lifeLock(): Promise<string | null>;
};
