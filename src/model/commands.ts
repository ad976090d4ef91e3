import type { AgentModels, AgentModelsSet, ApiConfiguration } from '../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../contract/canvas.ts';
import type { CanvasMark } from '../../contract/canvas-version.ts';
import type { ForkRequest } from '../../contract/executions/fork.ts';
import type { LinkHold } from '../../contract/executions/link-values.ts';
import type { GitTarget } from '../../contract/executions/publishing.ts';
import type { QuestionAnswer, RunHolds } from '../../contract/executions/question.ts';
import type { LinkSettings, StepSettings } from '../../contract/executions/run-graph.ts';
import type { GitAddress, InputAddition, InputSet, InputSetCopy } from '../../contract/input.ts';
import type { ProjectStatus } from '../../contract/project.ts';
import type { InstallPolicy } from '../../contract/runner.ts';
import type { FreedKind } from '../../contract/storage.ts';
import type { TeamRestored } from '../../contract/team-version.ts';
import type { OfferedType } from '../../rules/node-kinds.ts';
import type { UserHue } from './agents/roles.ts';
import type { SlashCommand } from './console/console-command.ts';
import type { PatternId } from './patterns/pattern-ids.ts';
import type { Outcome, Problem } from './problem.ts';

/** Commands that change the document. Refused with `run.locked` while a run is active and not paused, except `links.hold`. Each is one undo step. */
export type DocumentCommand =
  /** Puts nodes on the canvas with the links between them. */
  | { type: 'node.add'; nodes: CanvasNode[]; connections?: Connection[] }
  /**
   * Places a node for a menu item: at `at` (world px, top-left), else at the next free place. `after`: the card that a link to it starts at. `into`: the link
   * that the node is put into, as a card that is there is.
   */
  | { type: 'node.place'; item: PlaceableItem; at?: { x: number; y: number }; after?: string; into?: string }
  /**
   * Places a ready pattern, linked behind the card `after`, else behind what a run begins with. `at`: the corner of its first card (world
   * px); without it the pattern stands right of the card, and is put into the only link that leads on from `after`.
   */
  | { type: 'pattern.place'; patternId: PatternId; at?: { x: number; y: number }; after?: string }
  /** Pastes the nodes of a text (`read-canvas-text.ts`), centred at a point (world px), else right of all nodes. */
  | { type: 'nodes.paste'; text: string; at?: { x: number; y: number }; agents?: CopiedAgents }
  /** Replaces all nodes with those of a text. */
  | { type: 'canvas.replace'; text: string; agents?: CopiedAgents }
  /** Changes the document into another one, such as an earlier version. */
  | { type: 'canvas.restore'; document: CanvasDocument }
  /** Draws a group around nodes. */
  | { type: 'nodes.group'; nodeIds: string[] }
  /** Lays nodes out along their links; all nodes without ids; groups with their contents (`layout-of.ts`). */
  | { type: 'nodes.layout'; nodeIds?: string[] }
  /** Copies nodes with the links between them, moved by a distance (world px). */
  | { type: 'nodes.duplicate'; nodeIds: string[]; dx: number; dy: number; agents?: CopiedAgents }
  /** With `goesOn`, the change joins the previous undo step of the same nodes: steps of a held key. The same holds for updates. */
  /** Moves a card without links onto a link (world px), and puts it between the link's two cards. */
  | { type: 'node.insert'; id: string; x: number; y: number; linkId: string }
  | { type: 'node.move'; moves: { id: string; x: number; y: number }[]; goesOn?: boolean }
  | { type: 'node.update'; id: string; changes: Partial<Omit<CanvasNode, 'id' | 'type'>>; goesOn?: boolean }
  /** Gives cards settings. Those that cannot have one are skipped, as removed ones are. */
  | { type: 'nodes.set'; nodeIds: string[]; changes: CardSettings }
  /** Disables cards, those in groups too; enables them where all are disabled. */
  | { type: 'nodes.disable'; nodeIds: string[] }
  /** Moves nodes to a common edge or middle of the box around them, groups with their contents. `folded`: the groups that are shown as cards. */
  | { type: 'nodes.align'; nodeIds: string[]; folded: string[]; to: Alignment }
  /** Makes the gaps between nodes the same; the outer ones stay. */
  | { type: 'nodes.distribute'; nodeIds: string[]; folded: string[]; along: Distribution }
  /** Assigns server agents to nodes; removed nodes are skipped. */
  | { type: 'nodes.join'; joins: { id: string; agentId: string }[] }
  /** Removes nodes with all their links, and single links. */
  | { type: 'selection.remove'; nodeIds: string[]; connectionIds: string[] }
  /** A user's card asks a person from now on. */
  | { type: 'node.ask'; id: string }
  /** A link that leads back becomes a review loop. */
  | { type: 'link.add'; from: string; to: string }
  /** Draws an end of a link to another card. The link keeps its settings, except rounds where it leads back no more. */
  | { type: 'link.end'; id: string; end: 'from' | 'to'; nodeId: string }
  /** Makes a link that leads back a review loop, and names the ways out of its start, where they have no names yet. */
  | { type: 'link.loop'; id: string }
  /** Names the links that lead on from a card by the cards that they lead to, so that its agent chooses one of them. */
  | { type: 'node.choose'; id: string }
  /** Changes how a run uses a link. A field that is undefined is removed. `wayOn`: the label of the ways that leave a review loop; empty for none. */
  | { type: 'link.update'; id: string; changes: Partial<LinkSettings>; wayOn?: string; goesOn?: boolean }
  /** Sets whether links hold, also while a run is at work: a hold changes no part of the run's graph. Removed links are skipped. */
  | { type: 'links.hold'; ids: string[]; hold: LinkHold | undefined }
  | { type: 'history.undo' }
  | { type: 'history.redo' };

/**
 * What copied cards get where the account has no room for an agent of each: as many agents as fit, or none. Without it the command is refused with
 * `agent.noRoom`, which says how many are needed and how many fit.
 */
export type CopiedAgents = 'some' | 'none';

/** Where nodes are aligned: at an edge of the box around them, or at its middle. */
export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';
export type Distribution = 'horizontally' | 'vertically';

/** Settings that many cards can get at once. A field that is undefined is removed. */
export type CardSettings = { disabled?: true | undefined; onFailure?: StepSettings['onFailure'] | undefined };

/** How many times as fast as it was a run is played again. */
export const replaySpeeds = [1, 2, 4, 8, 16, 32, 64] as const;
export type ReplaySpeed = (typeof replaySpeeds)[number];

/** The items of the sidebar. */
export type PlaceableItem =
  | { kind: 'agent'; agentId: string }
  | { kind: OfferedType }
  | { kind: 'note' }
  /** A user card; one that the user added has a description. */
  | { kind: 'user'; key: string; title: string; about?: string; hue: UserHue }
  | { kind: 'flow'; templateId: string };

/** An item of the sidebar or of a menu: a card, a flow, or a ready pattern. */
export type AddableItem = PlaceableItem | { kind: 'pattern'; patternId: PatternId };

export type RunCommand =
  /** Sends a dialog's text: starts a run, or adds to the active run. W4.06 */
  | { type: 'dialog.send'; nodeId: string; text: string; inputSetId?: string }
  /** Shows a notice about a refused message whose form is not on the page. */
  | { type: 'dialog.reportRefusal'; dialogTitle: string; problem: Problem }
  /**
   * Starts a run with a dialog's goal, or with the given task. Without a dialog, the run takes the nodes that `startNodeId` leads to,
   * else those that all start nodes lead to, else all agents. `cardId`: the run begins with this card, or has it `alone`.
   */
  | { type: 'run.start'; dialogNodeId?: string; startNodeId?: string; cardId?: string; alone?: boolean; task?: string; inputSetId?: string }
  | { type: 'run.pause' }
  | { type: 'run.resume' }
  | { type: 'run.nextStep' }
  | { type: 'run.stop' }
  /** Sets which links of the shown run hold. */
  | { type: 'run.setHolds'; holds: RunHolds }
  /** Starts a run that keeps results of one that has ended, and returns its id. It is followed, unless it is one of several that are tried. */
  | { type: 'run.fork'; executionId: string; request: ForkRequest; isTried?: true }
  /** Runs a card again with the last results, alone or with what follows it. Fails with `run.noResults` where no run has any. */
  | { type: 'run.fromCard'; nodeId: string; alone: boolean }
  /** Stores the canvas as it is now as the pipeline of a fork, and returns its id. Without an id, the run has no card on the canvas. */
  | { type: 'run.storeForkPipeline'; executionId: string }
  /** Removes that pipeline, unless a fork runs in it. */
  | { type: 'run.dropForkPipeline' }
  /** Goes on with a run that is tried, and stops the others. */
  | { type: 'run.chooseTried'; executionId: string | null; others: string[] }
  /** Clears the finished run's marks from the canvas. */
  | { type: 'run.clear' }
  /** Withdraws a message whose run has not started. */
  | { type: 'run.withdraw'; executionId: string };

/** Says which dialog or start card the next run begins with, for the report on what takes part in it. Without one, what Start would begin. */
export type ForeseeCommand = { type: 'run.foresee'; dialogNodeId?: string; startNodeId?: string };

/** Plays a run again from its events. */
export type ReplayCommand =
  | { type: 'replay.open'; executionId: string }
  | { type: 'replay.close' }
  /**
   * Shows a place (ms on the axis), the moment after a number of events, or that of so many events or marks further on. A replay that plays goes
   * on from there.
   */
  | { type: 'replay.seek'; to: { placeMs: number } | { event: number } | { events: 1 | -1 } | { marks: 1 | -1 } }
  /** Without a speed: twice as fast if it plays in this direction already, at once the speed in the other one. */
  | { type: 'replay.play'; direction: 1 | -1; speed?: ReplaySpeed }
  | { type: 'replay.pause' }
  | { type: 'replay.cutIdle'; cutsIdle: boolean };

/** Runs a line of the console. W2.16 */
export type ConsoleCommand =
  | { type: 'console.send'; text: string; agentId: string | null }
  /** Stops waiting for an agent's answer. */
  | { type: 'console.cancel' }
  /** The console was opened or closed. W2.14 */
  | { type: 'console.toggled'; open: boolean }
  /** Describes a command, on pages without commands. R43 */
  | { type: 'console.announce'; name: SlashCommand };

/** Commands on whole projects, from inside one of them. */
export type ProjectCommand =
  | { type: 'projects.load' }
  /** Returns the id of the new project. */
  | { type: 'project.create'; name: string; description: string }
  /** Creates a project with the canvas that is shown, and returns its id: for a canvas whose project was removed. */
  | { type: 'project.keepCanvas'; name: string }
  | {
      type: 'project.update';
      id: string;
      name?: string;
      description?: string;
      status?: ProjectStatus;
      parallelSteps?: number;
      holdHandOffs?: boolean;
      /** Empty: none. */
      testCommand?: string;
      /** What a runner installs before it. */
      installs?: InstallPolicy;
      /** Hosts whose pages agents may read. */
      fetchHosts?: string[];
      /** Null: the usual ones. */
      maxTurns?: number | null;
      maxCalls?: number | null;
    }
  | { type: 'project.remove'; id: string }
  | { type: 'project.count'; id: string };

type WorkspaceCommand =
  | { type: 'workspace.reload' }
  | { type: 'agents.reload' }
  /** Reads the agents again and assigns them to nodes, so that menu and canvas agree. */
  | { type: 'agents.sync' }
  /** Creates an agent for each node whose own was removed. */
  | { type: 'agents.restore' }
  /** Reads the work of an agent. */
  | { type: 'agent.count'; agentId: string }
  /** Creates an agent of the user, and returns its id. */
  | { type: 'agent.create'; title: string; role: string; description: string }
  /** Copies an agent without its key, which never leaves the server; returns the copy's id. */
  | { type: 'agent.duplicate'; agentId: string }
  /** Gives several agents a model and the connection that serves it; returns what they had. */
  | ({ type: 'agents.setModels' } & AgentModels)
  | { type: 'agent.configure'; agentId: string; configuration: AgentConfigurationChange }
  | { type: 'history.reload' }
  | { type: 'history.remove'; id: string }
  /** Removes every ended run from the history. */
  | { type: 'history.clear' }
  /** Reads the open questions of all projects again. */
  | { type: 'questions.load' }
  | { type: 'question.answer'; id: string; answer: QuestionAnswer }
  | { type: 'realtime.connect' }
  | { type: 'realtime.disconnect' }
  /** Resolves a save conflict: takes the server's canvas, or overwrites it with this tab's. */
  | { type: 'conflict.resolve'; keep: 'mine' | 'theirs' }
  | { type: 'notice.dismiss'; id: string };

/** An agent's model settings and prompt; `apiKey` null removes the stored key. */
export type AgentConfigurationChange = {
  systemPrompt?: string;
  providerType?: ApiConfiguration['providerType'];
  model?: string;
  temperature?: number | null;
  maxTokens?: number | null;
  effort?: ApiConfiguration['effort'];
  connectionId?: string | null;
  fallback?: ApiConfiguration['fallback'];
  mayGoWithoutTools?: boolean;
  work?: ApiConfiguration['work'];
  baseUrl?: string | null;
  /** The folder in Yandex Cloud that the model belongs to. */
  folderId?: string | null;
  apiKey?: string | null;
};

/** A file of the browser. */
type FileContent = { arrayBuffer: () => Promise<ArrayBuffer> };

/** Commands on the files of a run before it starts. The results name the set as it is then. */
export type InputCommand =
  | ({ type: 'input.create' } & InputSetCopy)
  | { type: 'input.read'; setId: string }
  | { type: 'input.putFile'; setId: string; path: string; content: FileContent }
  | { type: 'input.addArchive'; setId: string; content: FileContent }
  | ({ type: 'input.addRepository'; setId: string } & GitAddress)
  | { type: 'input.removeFile'; setId: string; path: string }
  /** Reads the repository that the open project is published to. */
  | { type: 'input.readTarget' };

/** Commands on the versions of the open project's canvas. */
export type VersionCommand =
  /** Names a version; without one, the canvas as it is. Returns the mark. */
  | { type: 'version.mark'; version: number | null; name: string; note: string }
  | { type: 'version.unmark'; version: number }
  /** Shows what differs between the canvas and a version, until it is closed. */
  | { type: 'version.compare'; version: number }
  | { type: 'version.closeComparison' }
  /** Gives the canvas the content of a version: one edit, which can be undone. */
  | { type: 'version.restore'; version: number }
  /** Stores the team as it is under a name. */
  | { type: 'version.saveTeam'; name: string; note: string }
  /**
   * Gives agents and settings what they have in a version of the team, as a check with this `seen` has shown it, and then the canvas: one edit, which can
   * be undone.
   */
  | { type: 'version.restoreTeam'; version: number; seen: string };

/** Removes runs that ended so many days ago, or pipelines that no run uses and that are as old. */
type StorageCommand = { type: 'storage.free'; kind: FreedKind; olderThanDays: number };

/** Connects the runner of the server's machine, or lets it go. */
type RunnerCommand = { type: 'runner.connect' } | { type: 'runner.disconnect' };

export type Command =
  | StorageCommand
  | RunnerCommand
  | VersionCommand
  | DocumentCommand
  | RunCommand
  | ForeseeCommand
  | ReplayCommand
  | ConsoleCommand
  | ProjectCommand
  | InputCommand
  | WorkspaceCommand;

/** Sends a command to the engine. The promise settles when the command was accepted or refused, not when its work ends. */
export type Dispatch = (command: Command) => Promise<Outcome<CommandResult>>;

/** What a command created or changed: the ids of records, a set of files, and so on. */
export type CommandResult =
  | {
      nodeIds?: string[];
      connectionIds?: string[];
      /** Of those, the ones that have become review loops: their ways want names. */
      loopIds?: string[];
      projectId?: string;
      agentId?: string;
      /** What agents had before their models were set. */
      modelsBefore?: AgentModelsSet['agents'];
      executionId?: string;
      pipelineId?: string;
      inputSet?: InputSet;
      leftOut?: InputAddition['leftOut'];
      removed?: number;
      gitTarget?: GitTarget | null;
      mark?: CanvasMark;
      /** The version of the team as it was before a restoration. */
      teamBefore?: TeamRestored['before'];
    }
  | undefined;
