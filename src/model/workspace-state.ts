import type { Agent, AgentStatistics } from '../../contract/agent.ts';
import type { CanvasDocument } from '../../contract/canvas.ts';
import type { AgentAvailability, AgentLoad } from '../../contract/command.ts';
import type { Execution, StepRun } from '../../contract/execution.ts';
import type { Project, ProjectStatistics } from '../../contract/project.ts';
import type { ResultItem } from '../../contract/result.ts';
import type { ValidationProblem } from '../../rules/checked-document.ts';
import type { SlashCommand } from './console/console-command.ts';
import { type ConsolePages, emptyConsole } from './console/console-pages.ts';
import type { Problem } from './problem.ts';
import type { QueuedRun } from './run/queued-run.ts';

/** Everything the worker's engine owns, and the page's replica mirrors. */
export type WorkspaceState = {
  /** `reloading`: an open project is read anew; the page still shows it, and it cannot be edited meanwhile. */
  status: 'opening' | 'ready' | 'reloading' | 'failed';
  /** Why the workspace could not be opened. */
  failure: Problem | null;
  project: Project | null;
  projects: ProjectsState;
  document: CanvasDocument;
  undo: { canUndo: boolean; canRedo: boolean };
  agents: AgentsState;
  /** By agent, as far as they were asked for. */
  agentFigures: Record<string, AgentFigures>;
  validation: ValidationProblem[];
  run: RunState;
  /** Messages whose runs start after the run under way, oldest first. */
  queue: QueuedRun[];
  console: ConsolePages;
  live: LiveState;
  commandLine: CommandLineState;
  history: HistoryState;
  connection: ConnectionState;
  save: SaveState;
  notices: Notice[];
};

/** All the user's projects, read when somebody wants to see them. */
export type ProjectsState = {
  items: Project[];
  status: 'unasked' | 'loading' | 'ready' | 'failed';
  error: Problem | null;
  /** Those in which a run goes on. */
  runningIds: string[];
  /** By project, as far as they were asked for. */
  statistics: Record<string, ProjectStatistics>;
};

export type AgentsState = { byId: Record<string, Agent>; order: string[]; status: 'loading' | 'ready' | 'failed'; error: Problem | null };

/** How an agent's work goes, and what it has to do now. */
export type AgentFigures = { statistics: AgentStatistics; availability: AgentAvailability; load: AgentLoad };

export type RunPhase = 'stopped' | 'starting' | 'running' | 'pausing' | 'paused' | 'stopping';

export type RunState = {
  phase: RunPhase;
  /** How the last run ended; null before the first and while one goes on. */
  outcome: 'completed' | 'failed' | 'cancelled' | null;
  execution: Execution | null;
  /** In the order in which the agents work. */
  steps: StepRun[];
  /** Streamed text of a step under way, by step id. */
  partial: Record<string, string>;
  error: Problem | null;
};

export type ConsoleMessage = {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  type: 'system-event' | 'message';
  agentId: string | null;
  agentTitle: string | null;
  role: string | null;
  /** Who the text goes on to. */
  toAgentTitle: string | null;
  /** What an agent or a person wrote (Markdown); empty for a system event, whose words come from `event`. */
  text: string;
  event: Problem | null;
  isUser: boolean;
  isAI: boolean;
  isWarning: boolean;
  isError: boolean;
  simulated: boolean;
  executionId: string | null;
  stepId: string | null;
  /** What an answer to a command took; null for everything else, a run's steps included. */
  cost: MessageCost | null;
};

export type MessageCost = { totalTokens: number | null; durationMs: number | null; model: string | null };

/** What the server has told, as it was told. */
export type LiveState = {
  /** Messages that the socket has brought since the workspace was opened, partial texts included. */
  received: number;
  /** The newest ones with what polling brought, numbered in the order in which they came; `next` is the number of the next one. */
  events: Record<number, LiveEvent>;
  next: number;
};

export type LiveEvent = {
  id: string;
  /** ISO 8601. */
  at: string;
  via: 'socket' | 'poll';
  /** Of the message, or of the run's event that it carries. */
  type: string;
  /** Of a run's event. */
  seq: number | null;
  /** JSON, cut where it is long. */
  body: string;
};

/** What was asked for in the console's line. */
export type CommandLineState = {
  /** The agent that has not answered yet: one at a time. */
  waiting: Waiting | null;
  /** How the last command went. W2.17 */
  status: Problem | null;
};

export type Waiting = {
  agentTitle: string;
  name: SlashCommand;
  /** ISO 8601. */
  since: string;
  cancelling: boolean;
};

type HistoryState = {
  items: ResultItem[];
  /** Whether there are no older ones than these. */
  whole: boolean;
  status: 'loading' | 'ready' | 'failed';
  error: Problem | null;
};

export type ConnectionState = {
  /** `off`: the server or the setting has no real-time channel; everything works by polling. `demo`: a script tells, there is no server. */
  realtime: 'off' | 'demo' | 'connecting' | 'connected' | 'disconnected';
  /** False after the server refused the token; commands wait until the session is renewed. */
  authenticated: boolean;
  /** Whether the last call reached the server. */
  online: boolean;
};

export type SaveState =
  | { status: 'saved'; version: number }
  /** Edits that are not yet on the server. They are in this browser's journal, unless it refuses to keep them: then they are on this page alone. */
  | { status: 'pending' | 'saving' | 'offline'; version: number; error?: Problem; unkept?: true }
  /** Another tab or device saved first; both versions are kept until the user chooses. */
  | { status: 'conflict'; version: number; theirVersion: number; unkept?: true }
  /** This browser refuses to store the journal; edits still go to the server. */
  | { status: 'failed'; version: number; error: Problem };

/** A passing message; `until` in ms since the epoch, null until dismissed. */
export type Notice = Problem & { id: string; level: 'info' | 'warning' | 'error'; until: number | null };

/** While a run goes on and is not paused, the document cannot be changed. */
export function isLocked(run: Pick<RunState, 'phase'>): boolean {
  return run.phase === 'starting' || run.phase === 'running' || run.phase === 'pausing' || run.phase === 'stopping';
}

export function isRunActive(run: Pick<RunState, 'phase'>): boolean {
  return run.phase !== 'stopped';
}

/** Whether an execution has not ended. */
export function isUnderWay({ status }: Pick<Execution, 'status'>): boolean {
  return status === 'pending' || status === 'running' || status === 'paused';
}

export const emptyRun: RunState = { phase: 'stopped', outcome: null, execution: null, steps: [], partial: {}, error: null };

export const emptyWorkspace: WorkspaceState = {
  status: 'opening',
  failure: null,
  project: null,
  projects: { items: [], status: 'unasked', error: null, runningIds: [], statistics: {} },
  document: { nodes: {}, connections: {} },
  undo: { canUndo: false, canRedo: false },
  agents: { byId: {}, order: [], status: 'loading', error: null },
  agentFigures: {},
  validation: [],
  run: emptyRun,
  queue: [],
  console: emptyConsole,
  live: { received: 0, events: {}, next: 0 },
  commandLine: { waiting: null, status: null },
  history: { items: [], whole: true, status: 'loading', error: null },
  connection: { realtime: 'disconnected', authenticated: true, online: true },
  save: { status: 'saved', version: 0 },
  notices: [],
};
