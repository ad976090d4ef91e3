import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useImmerReducer } from 'use-immer';
import type { Project } from '../../../contract/project.ts';
import type { Problem } from '../../model/problem.ts';
import { readStored, writeStored } from '../../ui/stored-preference.ts';

export type ConsoleTab = 'files' | 'test' | 'communication' | 'thinking' | 'summary' | 'history' | 'live';

/** Which panels are open, and what they show. */
export type Panels = {
  sidebar: boolean;
  history: boolean;
  /** The figures of how the canvas does. */
  performance: boolean;
  console: 'closed' | 'open' | 'full';
  /** CSS px of the open console. */
  consoleHeight: number;
  tab: ConsoleTab;
  /** The conversation stands still, and what comes meanwhile waits. */
  held: boolean;
  /** The message whose details are open. */
  messageId: string | null;
  /** The file that is looked at. */
  filePath: string | null;
  /** The history item whose details are open. */
  historyItemId: string | null;
  /** The agent whose settings are open. */
  settingsAgentId: string | null;
  /** What the start of a run asks for, while it asks. */
  startQuestion: StartQuestion | null;
  /** The small picture of the whole canvas. */
  minimap: boolean;
  /** The window that lies over everything. */
  window: WorkspaceWindow | null;
};

/** How an open project is left: by signing out, or for another project. */
export type LeaveTarget = 'signOut' | { projectId: string };

export type WorkspaceWindow =
  | { kind: 'palette'; scope: 'all' | 'nodes' }
  | { kind: 'shortcuts' }
  | { kind: 'picture' }
  | { kind: 'newAgent' }
  | { kind: 'addAgent' }
  /** Asked for where none of a role is left, by the role's title. */
  | { kind: 'buyAgent'; title: string }
  | { kind: 'inviteMember' }
  | { kind: 'addUser' }
  | { kind: 'account' }
  /** Asked before the project is left, where edits would be lost or stay in this browser alone. */
  | { kind: 'leave'; to: LeaveTarget }
  | { kind: 'projects' }
  /** Null for a new one. */
  | { kind: 'projectForm'; project: Project | null }
  | { kind: 'projectRemoval'; project: Project }
  /** The settings of a start node. */
  | { kind: 'startNode'; nodeId: string }
  /** A file of cards that was chosen. */
  | { kind: 'import'; name: string; text: string }
  /** What is wrong with cards that came from elsewhere. */
  | { kind: 'refused'; problem: Problem };

export type StartQuestion =
  | { kind: 'task'; dialogNodeId: string | null; startNodeId?: string; task?: string }
  | { kind: 'dialog'; dialogNodeIds: string[] };

/** W9.02 */
export const consoleHeightLimits = { min: 100, default: 400, belowWindow: 40 } as const;

const closed: Panels = {
  sidebar: true,
  history: false,
  performance: false,
  console: 'closed',
  consoleHeight: consoleHeightLimits.default,
  tab: 'communication',
  held: false,
  messageId: null,
  filePath: null,
  historyItemId: null,
  settingsAgentId: null,
  startQuestion: null,
  minimap: true,
  window: null,
};

/** Kept in this browser from one visit to the next. */
const minimapKey = 'canvas:minimap';

type PanelsContext = { panels: Panels; show: (changes: Partial<Panels>) => void };

const Context = createContext<PanelsContext | null>(null);

/** Keeps what is open for the life of the page. On a phone one sheet is open at a time, and all are closed at first. `first`: what is open at first instead. */
export function PanelsProvider({ mobile, first, children }: { mobile: boolean; first?: Partial<Panels> | undefined; children: ReactNode }) {
  const [panels, show] = useImmerReducer<Panels, Partial<Panels>>((draft, changes) => merge(draft, changes, mobile), {
    ...closed,
    sidebar: !mobile,
    performance: new URLSearchParams(globalThis.location?.search).has('perf'),
    minimap: readStored(minimapKey) !== 'hidden',
    ...first,
  });
  // A tablet that is turned round keeps its windows and what is written in them; only the panels take other places.
  const [wasMobile, setWasMobile] = useState(mobile);
  if (wasMobile !== mobile) {
    setWasMobile(mobile);
    show(mobile ? { sidebar: false, history: false, console: 'closed' } : { sidebar: true });
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

function merge(panels: Panels, changes: Partial<Panels>, mobile: boolean): void {
  Object.assign(panels, changes);
  if (!mobile) return;
  if (changes.sidebar) Object.assign(panels, { history: false, console: 'closed' });
  else if (changes.history) Object.assign(panels, { sidebar: false, console: 'closed' });
  else if (changes.console && changes.console !== 'closed') Object.assign(panels, { sidebar: false, history: false });
}
