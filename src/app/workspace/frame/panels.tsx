import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useImmerReducer } from 'use-immer';
import type { Project } from '../../../../contract/project.ts';
import type { CopiedAgents } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { readConsoleHeight } from './console-height-memory.ts';

export type ConsoleTab = 'files' | 'test' | 'communication' | 'thinking' | 'summary' | 'history' | 'live';

/** The open panels, and their contents. */
export type Panels = {
  sidebar: boolean;
  history: boolean;
  /** The versions of the canvas; in the place of the history. */
  versions: boolean;
  /** The performance panel. */
  performance: boolean;
  console: 'closed' | 'open' | 'full';
  /** The height that was chosen for the open console (CSS px); null for its default. */
  consoleHeight: number | null;
  tab: ConsoleTab;
  /** True while the conversation is paused: new messages are not shown. */
  isPaused: boolean;
  /** The message whose details are open. */
  messageId: string | null;
  /** The file in the viewer. */
  filePath: string | null;
  /** The history item whose details are open. */
  historyItemId: string | null;
  /** The agent whose settings are open. */
  settingsAgentId: string | null;
  /** What the start of a run asks, while it is open. */
  startQuestion: StartQuestion | null;
  /** The dialog that was chosen in the bar for Start, or written to there; null before. */
  team: string | null;
  /** What runs again is chosen, in the place of the run control. */
  rerun: RerunTarget | null;
  /** The execution for which another run is being chosen in the history, to compare them. */
  compareFrom: string | null;
  /** Runs beside each other: all steps of two, or one step of those that it is tried with. */
  compare: CompareTarget | null;
  /** Whether the minimap is shown. */
  minimap: boolean;
  /** The open modal window. */
  window: WorkspaceWindow | null;
};

type StepPlace = { stepId: string; round: number; item: number };

/** `edit`: with another result of the step; `try`: the step alone, with other models. Without a step, what has changed runs again. */
export type RerunTarget = {
  executionId: string;
  mode: 'from' | 'edit' | 'try';
  step: (StepPlace & { name: string; agentId: string; result: string }) | null;
};

export type CompareTarget = { kind: 'runs'; left: string; right: string } | TriedTarget;

/** `problem`: why not every model that was chosen is tried. */
export type TriedTarget = {
  kind: 'tried';
  original: string;
  name: string;
  step: StepPlace;
  runs: { executionId: string; model: string }[];
  problem?: Problem;
};

/** The reason for leaving the open project: a sign-out, or another project. */
export type LeaveTarget = 'signOut' | { projectId: string };

/** The kinds of connections with the world outside. */
export type ConnectSection = 'teams' | 'keys' | 'triggers' | 'device' | 'telegram' | 'hooks';

export type WorkspaceWindow =
  /** `linkFrom`: the found card gets a link from this one. */
  | { kind: 'palette'; scope: 'all' | 'nodes'; linkFrom?: string }
  | { kind: 'shortcuts' }
  | { kind: 'picture' }
  | { kind: 'newAgent' }
  | { kind: 'addAgent' }
  /** Shown when no agent of a role is left; `title` is the role's title. */
  | { kind: 'buyAgent'; title: string; agentId: string }
  | { kind: 'inviteMember' }
  | { kind: 'addUser' }
  /** `budgetsOf`: the budgets are shown first, with those of this project. */
  | { kind: 'account'; budgetsOf?: Project }
  /** Shown before the project is left while edits would be lost or remain only in this browser. */
  | { kind: 'leave'; to: LeaveTarget }
  | { kind: 'projects' }
  /** `project` is null for a new one. */
  | { kind: 'projectForm'; project: Project | null }
  | { kind: 'projectRemoval'; project: Project }
  /** The settings of a start node. */
  | { kind: 'startNode'; nodeId: string }
  /** The settings of several cards at once. */
  | { kind: 'cards'; nodeIds: string[] }
  /** A chosen file with cards. */
  | { kind: 'import'; name: string; text: string }
  /** What a user's card asks in a run. */
  | { kind: 'person'; nodeId: string }
  /** The open questions; the one that is being answered, if any. */
  | { kind: 'questions'; questionId: string | null }
  /** The connections to servers of models. `add`: the form of a new one is open; `start`: a run starts once it works. */
  | { kind: 'connections'; connectionId?: string; add?: boolean; start?: boolean }
  /** The tool servers of the project. `serverId`: the one that is shown first, and `problem`: why a sign-in to it has failed. */
  | { kind: 'tools'; serverId?: string; problem?: Problem | null }
  /** What connects the project with the world outside. `triggerId`: the trigger that is shown first. */
  | { kind: 'connect'; section?: ConnectSection; triggerId?: string }
  /** The problem of cards from outside. */
  | { kind: 'refused'; problem: Problem }
  /** What copied cards get where there is no room for an agent of each; null: they are not placed. */
  | { kind: 'agentRoom'; problem: Problem; choose: (agents: CopiedAgents | null) => void };

/**
 * The task that is asked for. `cardId`: the run begins with this card, or has it `alone`. `hint`: the goal that the dialog came with, which is
 * no task.
 */
export type StartQuestion = {
  dialogNodeId: string | null;
  startNodeId?: string;
  cardId?: string;
  alone?: boolean;
  task?: string;
  hint?: string;
};

/** W9.02 */
export const consoleHeightLimits = { min: 100, default: 400, belowWindow: 40 } as const;

const closed: Panels = {
  sidebar: true,
  history: false,
  versions: false,
  performance: false,
  console: 'closed',
  consoleHeight: null,
  tab: 'communication',
  isPaused: false,
  messageId: null,
  filePath: null,
  historyItemId: null,
  settingsAgentId: null,
  startQuestion: null,
  team: null,
  rerun: null,
  compareFrom: null,
  compare: null,
  minimap: true,
  window: null,
};

/** The key of the stored trial of a project. */
export const trialKey = (projectId: string) => `trial:${projectId}`;

/** The key of the stored minimap setting. */
const minimapKey = 'canvas:minimap';

type PanelsContext = { panels: Panels; show: (changes: Partial<Panels>) => void };

const Context = createContext<PanelsContext | null>(null);

/**
 * Provides the open panels for the life of the page. On a phone at most one sheet is open, and none at first. `first` replaces the initial
 * state.
 */
export function PanelsProvider({ mobile, first, children }: { mobile: boolean; first?: Partial<Panels> | undefined; children: ReactNode }) {
  const [panels, show] = useImmerReducer<Panels, Partial<Panels>>((draft, changes) => merge(draft, changes, mobile), {
    ...closed,
    sidebar: !mobile,
    performance: new URLSearchParams(globalThis.location?.search).has('perf'),
    minimap: readStored(minimapKey) !== 'hidden',
    consoleHeight: readConsoleHeight(globalThis.innerHeight),
    ...first,
  });
  // A tablet that is rotated keeps its windows and their contents; only the panels get another layout.
  const [wasMobile, setWasMobile] = useState(mobile);
  if (wasMobile !== mobile) {
    setWasMobile(mobile);
    show(panelsInLayout(panels, mobile));
  }
  useEffect(() => writeStored(minimapKey, panels.minimap ? 'shown' : 'hidden'), [panels.minimap]);
  const value = useMemo(() => ({ panels, show }), [panels, show]);
  return <Context value={value}>{children}</Context>;
}

export function usePanels(): PanelsContext {
  const context = use(Context);
  if (!context) throw new Error('usePanels needs a PanelsProvider around it');
  return context;
}

/** Returns what changes when the window becomes that of a phone, or ceases to be: history and versions become a sheet, and stay open. */
export function panelsInLayout({ compare, rerun }: Pick<Panels, 'compare' | 'rerun'>, mobile: boolean): Partial<Panels> {
  if (!mobile) return { sidebar: true };
  return compare || rerun ? noSheets : { sidebar: false, console: 'closed' };
}

const noSheets = { sidebar: false, history: false, versions: false, console: 'closed' } as const satisfies Partial<Panels>;

function merge(panels: Panels, changes: Partial<Panels>, mobile: boolean): void {
  Object.assign(panels, changes);
  if (changes.history === false) panels.compareFrom = null;
  if (changes.history) panels.versions = false;
  else if (changes.versions) panels.history = false;
  // A comparison of two runs lies in the place of the history. Runs that are tried stay, since closing them stops them.
  if (changes.compare) Object.assign(panels, { history: false, versions: false });
  else if ((changes.history || changes.versions) && panels.compare?.kind === 'runs') panels.compare = null;
  if (!mobile) return;
  // A comparison, or the choice of what runs again, would lie below a sheet.
  if (changes.compare || changes.rerun) Object.assign(panels, noSheets);
  if (changes.sidebar) Object.assign(panels, { history: false, versions: false, console: 'closed' });
  else if (changes.history || changes.versions) Object.assign(panels, { sidebar: false, console: 'closed' });
  else if (changes.console && changes.console !== 'closed') Object.assign(panels, { sidebar: false, history: false, versions: false });
}
