import type { AuthConfig, Profile } from '../../contract/account.ts';
import type { Agent } from '../../contract/agent.ts';
import type { AgentChangePage, AgentChangeQuery, PromptChange } from '../../contract/agent-change.ts';
import type { Budgets, Forecast } from '../../contract/budget.ts';
import type { VersionPage, VersionQuery } from '../../contract/canvas-version.ts';
import type { Comparison } from '../../contract/executions/compare.ts';
import type { StepRun } from '../../contract/executions/execution.ts';
import type { ExecutionFiles, FileComparison, PullRequest } from '../../contract/executions/file.ts';
import type { Fork, ForkRequest } from '../../contract/executions/fork.ts';
import type { PublicationPlan } from '../../contract/executions/publishing.ts';
import type { QuestionDetails } from '../../contract/executions/question.ts';
import type { ResultItem } from '../../contract/executions/result.ts';
import type { Thought } from '../../contract/executions/thought.ts';
import type { ToolCall } from '../../contract/executions/tool-call.ts';
import type { Health } from '../../contract/health.ts';
import type { InputFilesPage, InputFilesQuery, InputSet } from '../../contract/input.ts';
import type { ConnectionModels, ConnectionUsed, KnownModels, LocalServer, ModelConnection } from '../../contract/model-connection.ts';
import type { ReleasedTeam } from '../../contract/released-team.ts';
import type { RunnerState } from '../../contract/runner.ts';
import type { StorageUse } from '../../contract/storage.ts';
import type { TeamCheck, TeamVersion, TeamVersionPage, TeamVersionQuery, TeamVersionRef } from '../../contract/team-version.ts';
import type { AgentTools, ServerTool, ToolServer } from '../../contract/tool-server.ts';
import type { Trigger } from '../../contract/trigger.ts';
import type { Outcome } from './problem.ts';

/** The number of thoughts in a page. W9.02 */
export const thoughtsPerPage = 50;

/** The most runs in the history and in a search result; older ones are found by a search only. */
export const maxHistoryLength = 200;

/** A search result: the newest items, and the total. */
export type FoundResults = { items: ResultItem[]; total: number };

/** Data that is read on demand and not stored in the workspace's state, because it is large and needed by one view only. */
export type Readable = {
  listFiles(executionId: string): Promise<ExecutionFiles>;
  readFile(executionId: string, path: string): Promise<string>;
  compareFile(executionId: string, path: string): Promise<FileComparison>;
  archiveFiles(executionId: string): Promise<Uint8Array>;
  /** Bytes where files of the run are not in UTF-8. */
  readPatch(executionId: string): Promise<string | Uint8Array>;
  readPullRequest(executionId: string): Promise<PullRequest>;
  readPublication(executionId: string): Promise<PublicationPlan>;
  /** The run as a file that `git fetch` takes. */
  readBundle(executionId: string): Promise<Uint8Array>;
  /** What a fork of a run would do. */
  previewFork(executionId: string, request: ForkRequest): Promise<Fork>;
  compareRuns(left: string, right: string): Promise<Comparison>;
  /** A step of any run with its whole result. */
  readStep(executionId: string, stepId: string): Promise<StepRun>;
  /** The calls of tools in a step, in order. */
  listCalls(executionId: string, stepId: string): Promise<ToolCall[]>;
  /** What the executed tests of a step wrote. */
  readTestLog(executionId: string, stepId: string): Promise<string>;
  /** The files that the user gave to a run. */
  listInputs(setId: string): Promise<InputSet>;
  /** A page of these files. */
  listInputFiles(setId: string, query: InputFilesQuery): Promise<InputFilesPage>;
  readInput(setId: string, path: string): Promise<string>;
  listToolServers(projectId: string): Promise<ToolServer[]>;
  /** The tools of a server, or of all servers of a project. */
  listTools(projectId: string, serverId: string | null): Promise<ServerTool[]>;
  readAgentTools(projectId: string, agentId: string): Promise<AgentTools>;
  /** The connections of the operator, the user and the project. */
  listConnections(projectId: string): Promise<ModelConnection[]>;
  /** The models of a connection whose names hold a text; all of them without one. */
  listModels(connectionId: string, query: string): Promise<ConnectionModels>;
  /** The models that are offered for agents without a connection, by provider. */
  listKnownModels(): Promise<KnownModels>;
  /** Servers of models that run on the machine of the server. */
  findLocalServers(): Promise<LocalServer[]>;
  /** What agents use now, and what they would use. */
  previewConnectionUse(connectionId: string, use: { agentIds: string[]; model: string }): Promise<ConnectionUsed>;
  /** The budgets of the account and the project, or those that apply to a run. */
  readBudgets(of: { projectId?: string; executionId?: string }): Promise<Budgets>;
  /** What the latest runs of a team have used. */
  readForecast(projectId: string, agentIds: string[]): Promise<Forecast>;
  /** What the account stores, with its limits. */
  readStorage(): Promise<StorageUse>;
  listAgents(): Promise<Agent[]>;
  readHealth(): Promise<Health>;
  readProfile(): Promise<Profile>;
  readConfiguration(): Promise<AuthConfig>;
  readRunner(): Promise<RunnerState>;
  /** A page of them, newest first, after the skipped ones. */
  listThoughts(projectId: string, leftOut: number): Promise<Thought[]>;
  /** The project's runs with a text in request, result, summary or tags, newest first. `triggerId`: only those that a trigger has started. */
  searchResults(projectId: string, text: string, triggerId?: string | null): Promise<FoundResults>;
  /** Saved versions of the project's canvas, newest first. */
  listVersions(projectId: string, query: VersionQuery): Promise<VersionPage>;
  /** Versions of the project's team, newest first. */
  listTeamVersions(projectId: string, query: TeamVersionQuery): Promise<TeamVersionPage>;
  listReleasedTeams(projectId: string): Promise<ReleasedTeam[]>;
  /** What starts runs of the project by itself. */
  listTriggers(projectId: string): Promise<Trigger[]>;
  /** `version`: its number, or its id. */
  readTeamVersion(projectId: string, version: TeamVersionRef): Promise<TeamVersion>;
  /** What of a version of the team is gone or is another one by now, and what its restoration changes. */
  checkTeamVersion(projectId: string, version: number): Promise<TeamCheck>;
  /** The changes of an agent's prompt, newest first, with their texts. */
  listAgentChanges(agentId: string, query: AgentChangeQuery): Promise<AgentChangePage>;
  /** Those of the agents on the project's canvas, without their texts. */
  listPromptChanges(projectId: string, page: { limit: number; offset: number }): Promise<PromptChange[]>;
  /** A question with its draft and the results before it. */
  readQuestion(id: string): Promise<QuestionDetails>;
  /** A run of the history with its whole result: a list holds the beginning. */
  readResult(id: string): Promise<ResultItem>;
};

export type ReadName = keyof Readable;
export type ReadOf<K extends ReadName> = Awaited<ReturnType<Readable[K]>>;

/** Reads from the source of the workspace's content. */
export type Read = <K extends ReadName>(name: K, ...of: Parameters<Readable[K]>) => Promise<Outcome<ReadOf<K>>>;
