import type { CanvasNode, Connection } from '../../contract/canvas.ts';
import type { ProjectStatus } from '../../contract/project.ts';
import type { UserHue } from './agents/roles.ts';
import type { SlashCommand } from './console/console-command.ts';
import type { Outcome } from './problem.ts';

/** What changes the document. Refused with `run.locked` while a run goes on and is not paused; undone as one. */
export type DocumentCommand =
  /** Puts cards on the canvas with the links between them. */
  | { type: 'node.add'; nodes: CanvasNode[]; connections?: Connection[] }
  /** Places a card of a menu item: `at` (world px, top-left) where it was dropped, the next free place without. */
  | { type: 'node.place'; item: PlaceableItem; at?: { x: number; y: number } }
  /** Puts in the cards that a text holds (`canvas-text.ts`), the middle of them all at a point (world px), else right of everything. */
  | { type: 'nodes.paste'; text: string; at?: { x: number; y: number } }
  /** Puts the cards that a text holds in the place of all that are there. */
  | { type: 'canvas.replace'; text: string }
  /** Draws a group round nodes. */
  | { type: 'nodes.group'; nodeIds: string[] }
  /** Lays cards out along their links, all of them without ids, groups with what lies in them (`layout-of.ts`). */
  | { type: 'nodes.layout'; nodeIds?: string[] }
  /** Copies cards with the links among them, moved by a distance (world px). */
  | { type: 'nodes.duplicate'; nodeIds: string[]; dx: number; dy: number }
  /** One that `goesOn` is undone together with the change of the same cards before it: steps of a key that is held. So is an update. */
  | { type: 'node.move'; moves: { id: string; x: number; y: number }[]; goesOn?: boolean }
  | { type: 'node.update'; id: string; changes: Partial<Omit<CanvasNode, 'id' | 'type'>>; goesOn?: boolean }
  /** Removes nodes with every link of theirs, and single links. */
  /** Says which server agents cards stand for; a card that is gone is left out. */
  | { type: 'nodes.join'; joins: { id: string; agentId: string }[] }
  | { type: 'selection.remove'; nodeIds: string[]; connectionIds: string[] }
  | { type: 'link.add'; from: string; to: string }
  | { type: 'history.undo' }
  | { type: 'history.redo' };

/** What the sidebar can put on the canvas. */
export type PlaceableItem =
  | { kind: 'agent'; agentId: string }
  | { kind: 'start' }
  | { kind: 'dialog' }
  | { kind: 'note' }
  /** A person; one whom the user added says what they do. */
  | { kind: 'user'; key: string; title: string; about?: string; hue: UserHue }
  | { kind: 'flow'; templateId: string };

export type RunCommand =
  /** Sends a dialog's text: starts a run, or adds to the one under way. W4.06 */
  | { type: 'dialog.send'; nodeId: string; text: string }
  /** Starts a run without a text box: the dialog's goal, or the given task. */
  /** `startNodeId`: without a dialog the run holds what this start node leads to, else what all of them do, else all agents. */
  | { type: 'run.start'; dialogNodeId?: string; startNodeId?: string; task?: string }
  | { type: 'run.pause' }
  | { type: 'run.resume' }
  | { type: 'run.nextStep' }
  | { type: 'run.stop' }
  /** Takes the finished run's marks off the canvas. */
  | { type: 'run.clear' }
  /** Takes back a message whose run has not started. */
  | { type: 'run.withdraw'; executionId: string };

/** What is asked for in the console's line. W2.16 */
export type ConsoleCommand =
  | { type: 'console.send'; text: string; agentId: string | null }
  /** Gives up what an agent is being waited for. */
  | { type: 'console.cancel' }
  /** The console was opened or closed. W2.14 */
  | { type: 'console.toggled'; open: boolean }
  /** Says what a command would do, where none can be given. R43 */
  | { type: 'console.announce'; name: SlashCommand };

/** What is done to projects as a whole, from inside one of them. */
export type ProjectCommand =
  | { type: 'projects.load' }
  /** Answers the id of the project that was made. */
  | { type: 'project.create'; name: string; description: string }
  /** Makes a project with the canvas that is shown, and answers its id: for one whose project is gone. */
  | { type: 'project.keepCanvas'; name: string }
  | { type: 'project.update'; id: string; name?: string; description?: string; status?: ProjectStatus }
  | { type: 'project.remove'; id: string }
  | { type: 'project.count'; id: string };

type WorkspaceCommand =
  | { type: 'workspace.reload' }
  | { type: 'agents.reload' }
  /** Reads the agents anew and joins each card to its agent: menu and canvas count alike. */
  | { type: 'agents.sync' }
  /** Makes an agent for each card whose own is gone. */
  | { type: 'agents.restore' }
  /** Asks how an agent's work goes. */
  | { type: 'agent.count'; agentId: string }
  /** Makes an agent of the user's, and answers its id. */
  | { type: 'agent.create'; title: string; role: string; description: string }
  /** Makes another agent of the same kind, but for the key, which never leaves the server; answers its id. */
  | { type: 'agent.duplicate'; agentId: string }
  | { type: 'agent.configure'; agentId: string; configuration: AgentConfigurationChange }
  | { type: 'history.reload' }
  | { type: 'history.remove'; id: string }
  /** Removes every run that has ended from the history. */
  | { type: 'history.clear' }
  | { type: 'realtime.connect' }
  | { type: 'realtime.disconnect' }
  /** Settles a stale save: take the server's canvas, or put this tab's over it. */
  | { type: 'conflict.resolve'; keep: 'mine' | 'theirs' }
  | { type: 'notice.dismiss'; id: string };

/** Model settings and prompt of an agent; `apiKey` null removes the stored key. */
export type AgentConfigurationChange = {
  systemPrompt?: string;
  providerType?: 'openai' | 'gigachat' | 'yandexgpt' | 'anthropic' | 'simulated';
  model?: string;
  temperature?: number;
  maxTokens?: number;
  baseUrl?: string | null;
  /** The folder in Yandex Cloud whose models are called. */
  folderId?: string | null;
  apiKey?: string | null;
};

export type Command = DocumentCommand | RunCommand | ConsoleCommand | ProjectCommand | WorkspaceCommand;

/** Sends a command to whoever owns the state; the promise settles when it was accepted or refused, not when its work ends. */
export type Dispatch = (command: Command) => Promise<Outcome<CommandResult>>;

/** Ids of what the command made, where it made something. */
export type CommandResult = { nodeIds?: string[]; connectionIds?: string[]; projectId?: string; agentId?: string } | undefined;
