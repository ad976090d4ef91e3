import type { z } from 'zod';
import type { SocketTicket } from '../../../../contract/account.ts';
import type {
  Agent,
  AgentModels,
  AgentModelsSet,
  AgentStatistics,
  AgentsMade,
  agentCreation,
  NewAgents,
} from '../../../../contract/agent.ts';
import type { Budget, BudgetUpdate } from '../../../../contract/budget.ts';
import type { Canvas, CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import type { CanvasMark, VersionComparison } from '../../../../contract/canvas-version.ts';
import type { AgentAvailability, AgentLoad, ChatCompletion, CommandState, Command as GivenCommand } from '../../../../contract/command.ts';
import type { Execution, ExecutionDetails, ExecutionStart } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Fork, ForkRequest } from '../../../../contract/executions/fork.ts';
import type { Pipeline, PipelineCreation } from '../../../../contract/executions/pipeline.ts';
import type {
  FollowUp,
  GitTargetUpdate,
  ProjectGitTarget,
  Publication,
  PublishRequest,
} from '../../../../contract/executions/publishing.ts';
import type { Question, QuestionAnswer, QuestionLink, RunHolds } from '../../../../contract/executions/question.ts';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import type { Thought } from '../../../../contract/executions/thought.ts';
import type { GitAddress, InputAddition, InputSet, InputSetCopy } from '../../../../contract/input.ts';
import type {
  ConnectionCreation,
  ConnectionTest,
  ConnectionUpdate,
  ConnectionUsed,
  ModelConnection,
} from '../../../../contract/model-connection.ts';
import type { Project, ProjectStatistics, ProjectStatus, ProjectUpdate } from '../../../../contract/project.ts';
import type { FreedKind } from '../../../../contract/storage.ts';
import type { TeamRestored, TeamVersionItem } from '../../../../contract/team-version.ts';
import type {
  AgentTools,
  ServerTool,
  ToolPolicy,
  ToolServer,
  ToolServerCreation,
  ToolServerTest,
  ToolServerUpdate,
  ToolSignIn,
  ToolSignInEnd,
} from '../../../../contract/tool-server.ts';
import type { AgentConfigurationChange } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Readable, ReadName, ReadOf } from '../../../model/reader.ts';
import type { DialogMessage } from '../../../model/run/plan/run-payloads.ts';

/**
 * The cause of a failed call, by the required action. `unauthenticated`: wait for a session. `unreachable`: retry later. `stale`: another
 * tab or user saved first. `refused`: show it to the user.
 */
export type BackendError = {
  kind: 'unauthenticated' | 'unreachable' | 'stale' | 'refused';
  problem: Problem;
  status: number;
  retryAfterMs: number | null;
};

/** Returns whether the server reports that the record does not exist. A 404 of a proxy does not count. */
export function isMissing({ status, problem }: BackendError): boolean {
  return status === 404 && problem.code === 'not_found';
}

/** The outcome of a command whose call ended in a fault. */
export function refusal({ problem }: BackendError): { ok: false; error: Problem } {
  return { ok: false, error: problem };
}

export type Answer<T> = { ok: true; value: T } | { ok: false; fault: BackendError };

/** The reads whose answers the state does not hold. */
type Reads = { [K in ReadName]: (...of: Parameters<Readable[K]>) => Promise<Answer<ReadOf<K>>> };

type SaveKey = { idempotencyKey: string };

/** Stores a workspace's content and executes its runs. */
export type Backend = Reads & {
  openProject(projectId: string): Promise<Answer<Project>>;
  /** All of the user's projects, in the order in which they were created. */
  listProjects(): Promise<Answer<Project[]>>;
  createProject(project: { name: string; description: string }, key: SaveKey): Promise<Answer<Project>>;
  updateProject(projectId: string, change: ProjectUpdate): Promise<Answer<Project>>;
  setProjectStatus(projectId: string, status: ProjectStatus): Promise<Answer<Project>>;
  removeProject(projectId: string): Promise<Answer<undefined>>;
  projectStatistics(projectId: string): Promise<Answer<ProjectStatistics>>;
  readCanvas(projectId: string): Promise<Answer<Canvas>>;
  patchCanvas(
    projectId: string,
    change: { baseVersion: number; patches: CanvasPatch[] },
    key: SaveKey,
  ): Promise<Answer<{ version: number }>>;
  putCanvas(projectId: string, canvas: CanvasDocument & { baseVersion: number }, key: SaveKey): Promise<Answer<{ version: number }>>;

  /** A version of the canvas as it was. */
  readVersion(projectId: string, version: number): Promise<Answer<Canvas>>;
  compareVersions(projectId: string, left: number, right: number): Promise<Answer<VersionComparison>>;
  createTeamVersion(projectId: string, named: { name: string; note: string }, key: SaveKey): Promise<Answer<TeamVersionItem>>;
  restoreTeam(projectId: string, version: number, seen: string, key: SaveKey): Promise<Answer<TeamRestored>>;
  putMark(projectId: string, version: number, mark: { name: string; note: string }): Promise<Answer<CanvasMark>>;
  removeMark(projectId: string, version: number): Promise<Answer<undefined>>;

  createAgent(agent: z.input<typeof agentCreation>, key: SaveKey): Promise<Answer<Agent>>;
  /** Makes up to 1,000 agents, all or none. */
  createAgents(agents: NewAgents, key: SaveKey): Promise<Answer<AgentsMade>>;
  /** Removes those of up to 1,000 agents that are used nowhere; cards of the project do not count. */
  removeUnusedAgents(projectId: string, agentIds: string[], key: SaveKey): Promise<Answer<{ removed: string[] }>>;
  configureAgent(agent: Agent, change: AgentConfigurationChange): Promise<Answer<Agent>>;
  setAgentModels(models: AgentModels): Promise<Answer<AgentModelsSet>>;

  createPipeline(pipeline: PipelineCreation, key: SaveKey): Promise<Answer<Pipeline>>;
  removePipeline(pipelineId: string): Promise<Answer<undefined>>;

  listExecutions(projectId: string, limit: number): Promise<Answer<Execution[]>>;
  /** The executions of all the user's projects that have begun and not ended. */
  listUnderWay(): Promise<Answer<Execution[]>>;
  readExecution(executionId: string): Promise<Answer<ExecutionDetails>>;
  /** Events after `since`, in order; one page of at most `limit`. */
  readLogs(executionId: string, since: number, limit: number): Promise<Answer<ExecutionEvent[]>>;
  startExecution(start: ExecutionStart, key: SaveKey): Promise<Answer<Execution>>;
  /** Starts a run that keeps results of one that has ended. */
  fork(executionId: string, request: ForkRequest, key: SaveKey): Promise<Answer<Fork>>;
  controlExecution(executionId: string, action: ExecutionAction): Promise<Answer<Execution>>;
  /** Creates an execution that waits for its start. */
  createExecution(creation: ExecutionCreation, key: SaveKey): Promise<Answer<Execution>>;
  removeExecution(executionId: string): Promise<Answer<undefined>>;
  /** Executions of the project that wait for their start, newest first. */
  listWaiting(projectId: string): Promise<Answer<Execution[]>>;
  addContext(executionId: string, context: RunContext, key: SaveKey): Promise<Answer<Execution>>;

  createInputSet(projectId: string, copy: InputSetCopy): Promise<Answer<InputSet>>;
  readInputSet(setId: string): Promise<Answer<InputSet>>;
  putInputFile(setId: string, path: string, content: Uint8Array<ArrayBuffer>): Promise<Answer<unknown>>;
  addInputArchive(setId: string, content: Uint8Array<ArrayBuffer>): Promise<Answer<InputAddition>>;
  addInputRepository(setId: string, address: GitAddress): Promise<Answer<InputAddition>>;
  gitTarget(projectId: string): Promise<Answer<ProjectGitTarget>>;
  putGitTarget(projectId: string, target: GitTargetUpdate): Promise<Answer<ProjectGitTarget>>;
  removeGitTarget(projectId: string): Promise<Answer<undefined>>;
  putBudget(budget: BudgetUpdate): Promise<Answer<Budget>>;
  removeBudget(id: string): Promise<Answer<undefined>>;
  /** Removes old runs, or pipelines that no run uses: as many as one call may. */
  freeStorage(kind: FreedKind, olderThanDays: number): Promise<Answer<{ removed: number }>>;
  connectRunner(): Promise<Answer<unknown>>;
  disconnectRunner(): Promise<Answer<unknown>>;
  publish(executionId: string, request: PublishRequest): Promise<Answer<Publication>>;
  followUp(executionId: string): Promise<Answer<FollowUp>>;
  removeInputFile(setId: string, path: string): Promise<Answer<undefined>>;

  createToolServer(projectId: string, server: ToolServerCreation, key: SaveKey): Promise<Answer<ToolServer>>;
  updateToolServer(projectId: string, serverId: string, changes: ToolServerUpdate): Promise<Answer<ToolServer>>;
  removeToolServer(projectId: string, serverId: string): Promise<Answer<undefined>>;
  testToolServer(projectId: string, serverId: string): Promise<Answer<ToolServerTest>>;
  signInToToolServer(projectId: string, serverId: string): Promise<Answer<ToolSignIn>>;
  endToolSignIn(projectId: string, serverId: string, end: ToolSignInEnd): Promise<Answer<ToolServer>>;
  setToolPolicy(projectId: string, toolId: string, policy: ToolPolicy): Promise<Answer<ServerTool>>;
  acceptTool(projectId: string, toolId: string, hash: string): Promise<Answer<ServerTool>>;
  putAgentTools(projectId: string, agentId: string, toolIds: string[]): Promise<Answer<AgentTools>>;

  createConnection(connection: ConnectionCreation, key: SaveKey): Promise<Answer<ModelConnection>>;
  updateConnection(connectionId: string, changes: ConnectionUpdate): Promise<Answer<ModelConnection>>;
  /** Refused for one that agents use, unless `evenIfUsed`: they then have none. */
  removeConnection(connectionId: string, evenIfUsed: boolean): Promise<Answer<undefined>>;
  /** Reads the list of models from the provider, even if it is known. */
  readModels(connectionId: string): Promise<Answer<unknown>>;
  testConnection(connectionId: string, model: string | null): Promise<Answer<ConnectionTest>>;
  /** Has agents use a connection and one of its models. */
  useConnection(connectionId: string, use: { agentIds: string[]; model: string }): Promise<Answer<ConnectionUsed>>;

  /** The open questions of all the user's runs, newest first. */
  listQuestions(): Promise<Answer<Question[]>>;
  answerQuestion(id: string, answer: QuestionAnswer, key: SaveKey): Promise<Answer<Question>>;
  /** A link with which a person without an account answers the question; an earlier link ends. */
  createQuestionLink(id: string): Promise<Answer<QuestionLink>>;
  setHolds(executionId: string, holds: RunHolds): Promise<Answer<Execution>>;

  listResults(projectId: string): Promise<Answer<ResultItem[]>>;
  removeResult(id: string): Promise<Answer<undefined>>;

  sendCommand(command: AgentRequest, key: SaveKey): Promise<Answer<CommandState>>;
  readCommand(id: string): Promise<Answer<CommandState>>;
  cancelCommand(id: string): Promise<Answer<CommandState>>;
  /** Null for an agent without commands. */
  newestCommand(agentId: string): Promise<Answer<Pick<CommandState, 'id' | 'status'> | null>>;
  /** Newest first. */
  listCommands(agentId: string, limit: number): Promise<Answer<GivenCommand[]>>;
  /** Returns the state of the command when the answer takes longer than the server waits. */
  converse(agentId: string, chat: Chat, key: SaveKey): Promise<Answer<ChatCompletion | CommandState>>;
  publishThought(thought: { agentId: string; content: string; projectId: string }, key: SaveKey): Promise<Answer<Thought>>;
  /** A ticket that opens one socket. */
  issueSocketTicket(): Promise<Answer<SocketTicket>>;
  agentStatistics(agentId: string): Promise<Answer<AgentStatistics>>;
  agentLoad(agentId: string): Promise<Answer<AgentLoad>>;
  agentAvailability(agentId: string): Promise<Answer<AgentAvailability>>;
  readPipeline(id: string): Promise<Answer<Pipeline>>;
};

/** A command of the console to an agent. */
export type AgentRequest = { agentId: string; request: string; projectId: string; timestamp: string };

export type Chat = {
  messages: { role: 'system' | 'user'; content: string }[];
  model: string;
  max_tokens: number;
  temperature: number;
  projectId: string;
  /** The server stores it with the command. */
  metadata: { requestId: string };
};

export type ExecutionAction = 'pause' | 'resume' | 'nextStep' | 'stop';

type ExecutionCreation = Omit<ExecutionStart, 'executionId' | 'startAfterMs'>;

/** The additions to a run: a message, or the results of an earlier run. W3.06 */
export type RunContext = {
  type?: string;
  source?: string;
  /** The run whose results the text has. */
  executionId?: string;
  content: string;
  dialogNodeId: string | null;
  dialogNodeTitle?: string | null;
  projectId: string;
  timestamp?: string;
  /** The whole message. W3.04 */
  context?: DialogMessage;
};
