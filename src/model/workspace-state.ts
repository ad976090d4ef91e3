import type { Agent, AgentStatistics } from '../../contract/agent.ts';
import type { CanvasDocument } from '../../contract/canvas.ts';
import type { AgentAvailability, AgentLoad } from '../../contract/command.ts';
import type { Execution, StepRun } from '../../contract/executions/execution.ts';
import type { Question } from '../../contract/executions/question.ts';
import type { ResultItem } from '../../contract/executions/result.ts';
import type { Project, ProjectStatistics } from '../../contract/project.ts';
import type { ValidationProblem } from '../../rules/checked-document.ts';
import type { ListProgress } from '../../rules/run-graph/followed-run.ts';
import type { LinkInRun } from '../../rules/run-graph/link-in-run.ts';
import type { ReplaySpeed } from './commands.ts';
import type { SlashCommand } from './console/console-command.ts';
import { type ConsolePages, emptyConsole } from './console/console-pages.ts';
import type { Problem } from './problem.ts';
import { emptyParticipation, type Participation } from './run/participation/participation-state.ts';
import type { QueuedRun } from './run/queued-run.ts';
import type { Comparison } from './versions/comparison.ts';

/** The state that the worker's engine owns, and the page mirrors. */
export type WorkspaceState = {
  /** `reloading`: an open project is read again; the page still shows it, and editing is locked. */
  status: 'opening' | 'ready' | 'reloading' | 'failed';
  /** Why the workspace could not be opened. */
  failure: Problem | null;
  /** Whether the engine answers; only the page sets it to `silent`. Then save and connection are as they were before. */
  engine: 'responding' | 'silent';
  project: Project | null;
  projects: ProjectsState;
  document: CanvasDocument;
  /** What differs between the document and an earlier version; null while none is compared. */
  comparison: VersionComparisonState | null;
  undo: { canUndo: boolean; canRedo: boolean };
  agents: AgentsState;
  /** By agent id, for the agents that were requested. */
  agentFigures: Record<string, AgentFigures>;
  validation: ValidationProblem[];
  /** What takes part in the next run. */
  participation: Participation;
  /** The agents that the next run calls: their number, and their ids unless no forecast is made for so many. */
  team: { count: number; agentIds: readonly string[] };
  run: RunState;
  /** The run that is played again; null while the present is shown. */
  replay: ReplayState | null;
  /** Messages whose runs start after the active run, oldest first. */
  queue: QueuedRun[];
  console: ConsolePages;
  questions: QuestionsState;
  live: LiveState;
  commandLine: CommandLineState;
  history: HistoryState;
  connection: ConnectionState;
  save: SaveState;
  notices: Notice[];
};

/** It follows every edit. `differences`: of the document as it is. */
type VersionComparisonState = { version: number; differences: Comparison };

/** The open questions of all the user's runs, newest first. */
type QuestionsState = { items: Question[]; status: 'unasked' | 'ready' | 'failed' };

/** All projects of the user, read when the list is opened. */
type ProjectsState = {
  items: Project[];
  status: 'unasked' | 'loading' | 'ready' | 'failed';
  error: Problem | null;
  /** The projects with an active run. */
  runningIds: string[];
  /** By project id, for the projects that were requested. */
  statistics: Record<string, ProjectStatistics>;
};

export type AgentsState = { byId: Record<string, Agent>; order: string[]; status: 'loading' | 'ready' | 'failed'; error: Problem | null };

/** An agent's work: its state and its open steps. */
export type AgentFigures = { statistics: AgentStatistics; availability: AgentAvailability; load: AgentLoad };

export type RunPhase = 'stopped' | 'starting' | 'running' | 'pausing' | 'paused' | 'stopping';

export type RunState = {
  phase: RunPhase;
  /** The outcome of the last run; null before the first one and during a run. */
  outcome: 'completed' | 'failed' | 'cancelled' | null;
  execution: Execution | null;
  /** In execution order. */
  steps: StepRun[];
  /** The streamed text of running steps, by step id. */
  partial: Record<string, string>;
  /** The end of the log of tests that are executed now, by step id. `length` is that of the whole log. */
  logs: Record<string, { text: string; length: number }>;
  /** The shown part of the run's graph; null for a run without a graph. */
  graph: RunGraphState | null;
  error: Problem | null;
  /** The time that a replay shows (ms since the epoch); absent for the present. */
  moment?: number;
  /** The canvas was edited since the run ended: what it shows is no longer what ran. Moved cards are no edit. */
  isPast?: true;
};

/** A run that is played again from its events, and the place that is shown. Places are ms on the axis of the replay. */
export type ReplayState = {
  executionId: string;
  status: 'loading' | 'ready' | 'failed';
  error: Problem | null;
  /** The number of events that are read, and of all. */
  read: number;
  total: number;
  /** The run after the events that are shown, without its steps. */
  run: Omit<RunState, 'steps'>;
  /** Its steps: places in `versions`. */
  steps: number[];
  /** The steps of all moments that were shown. A moment names them by their places, so that the page gets each of them once. */
  versions: StepRun[];
  /** How many events are shown, and the place. */
  event: number;
  placeMs: number;
  durationMs: number;
  /** The console's lines of all events, and how many of them are shown. */
  lines: ConsoleMessage[];
  lineCount: number;
  /** Null while the replay stands still. */
  playing: ReplayPlaying | null;
  speed: ReplaySpeed;
  cutsIdle: boolean;
  /** The run has not ended: its new events are added. */
  isUnderWay: boolean;
  /** The canvas that ran, where it is another one than now: it is shown, and cannot be changed. */
  document: CanvasDocument | null;
  marks: ReplayMark[];
  spent: SpentAt[];
};

/** The replay was at a place at a time (ms since the epoch), and moves from there. */
export type ReplayPlaying = { direction: 1 | -1; fromMs: number; since: number };

export type ReplayMarkKind = 'failure' | 'question' | 'edit' | 'cost';

/** One or several events of one kind that are close to each other. `event`: the first of them, counted from 1. */
export type ReplayMark = { kind: ReplayMarkKind; event: number; placeMs: number; count: number; title: string };

/** What the run had spent at a place. */
/** What was spent up to a place: money where it is known, else tokens. */
export type SpentAt = { placeMs: number; amount: number };

/** The graph of a run, as far as it is shown. */
type RunGraphState = {
  /** The links, and their states in the same order: a change of one state is a small patch. */
  linkIds: string[];
  linkStates: LinkInRun[];
  /** The most rounds of the innermost review loop around a card, by node id. */
  rounds: Record<string, number>;
  /** The items of the lists that groups work through, by group id. */
  lists: Record<string, ListProgress>;
  /** How many steps work at the same time. */
  maxParallel: number;
};

export type ConsoleMessage = {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  type: 'system-event' | 'message';
  agentId: string | null;
  agentTitle: string | null;
  role: string | null;
  /** The recipient of the text. */
  toAgentTitle: string | null;
  /** The text of an agent or a user (Markdown); empty for a system event, whose sentence follows from `event`. */
  text: string;
  event: Problem | null;
  isUser: boolean;
  isAI: boolean;
  isWarning: boolean;
  isError: boolean;
  simulated: boolean;
  executionId: string | null;
  stepId: string | null;
  /** The usage of an answer to a command; null for other messages, steps of a run included. */
  cost: MessageCost | null;
};

export type MessageCost = { totalTokens: number | null; durationMs: number | null; model: string | null };

/** The raw messages of the server. */
type LiveState = {
  /** The number of socket messages since the workspace was opened, partial texts included. */
  received: number;
  /** The newest messages, from socket and polling, numbered in order of arrival; `next` is the next number. */
  events: Record<number, LiveEvent>;
  next: number;
};

export type LiveEvent = {
  id: string;
  /** ISO 8601. */
  at: string;
  via: 'socket' | 'poll';
  /** The type of the message, or of the run's event in it. */
  type: string;
  /** The number of a run's event. */
  seq: number | null;
  /** JSON, cut to a limit. */
  body: string;
};

/** The commands of the console's line. */
type CommandLineState = {
  /** The agent whose answer is awaited: one at a time. */
  waiting: Waiting | null;
  /** The outcome of the last command. W2.17 */
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
  /** Whether there are no older items. */
  whole: boolean;
  status: 'loading' | 'ready' | 'failed';
  error: Problem | null;
};

export type ConnectionState = {
  /** `off`: the server or the setting has no real-time channel, and polling is used. `demo`: a script, without a server. */
  realtime: 'off' | 'demo' | 'connecting' | 'connected' | 'disconnected';
  /** False after the server refused the token; commands wait until the session is refreshed. */
  authenticated: boolean;
  /** Whether the last call reached the server. */
  online: boolean;
};

export type SaveState =
  | { status: 'saved'; version: number }
  /** Edits that are not yet on the server. They are in this browser's journal, or only in memory if the journal cannot be written. */
  | { status: 'pending' | 'saving' | 'offline'; version: number; error?: Problem; unkept?: true }
  /** Another tab or device saved first; both versions are kept until the user chooses. */
  | { status: 'conflict'; version: number; theirVersion: number; unkept?: true }
  /** This browser refuses to store the journal; edits still go to the server. */
  | { status: 'failed'; version: number; error: Problem };

/** A passing message; `until` in ms since the epoch, null until dismissed. */
export type Notice = Problem & { id: string; level: 'info' | 'warning' | 'error'; until: number | null };

/** While a run is active and not paused, the document cannot be changed. */
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

export const emptyRun: RunState = {
  phase: 'stopped',
  outcome: null,
  execution: null,
  steps: [],
  partial: {},
  logs: {},
  graph: null,
  error: null,
};

export const emptyWorkspace: WorkspaceState = {
  status: 'opening',
  failure: null,
  engine: 'responding',
  project: null,
  projects: { items: [], status: 'unasked', error: null, runningIds: [], statistics: {} },
  document: { nodes: {}, connections: {} },
  comparison: null,
  undo: { canUndo: false, canRedo: false },
  agents: { byId: {}, order: [], status: 'loading', error: null },
  agentFigures: {},
  validation: [],
  participation: emptyParticipation,
  team: { count: 0, agentIds: [] },
  run: emptyRun,
  replay: null,
  queue: [],
  console: emptyConsole,
  questions: { items: [], status: 'unasked' },
  live: { received: 0, events: {}, next: 0 },
  commandLine: { waiting: null, status: null },
  history: { items: [], whole: true, status: 'loading', error: null },
  connection: { realtime: 'disconnected', authenticated: true, online: true },
  save: { status: 'saved', version: 0 },
  notices: [],
};
