import type { AgentWork } from '../../../contract/agent.ts';
import type { Failure } from '../../../contract/errors.ts';
import type { ReadFileOfStep } from '../../../contract/executions/execution.ts';
import type { TestRun } from '../../../contract/executions/test-run.ts';
import type { ToolEffect, ToolSource } from '../../../contract/executions/tool-call.ts';
import type { InstallNeeds } from '../../../contract/runner.ts';
import type { ToolPolicy } from '../../../contract/tool-server.ts';
import type { Language } from '../../http/call.ts';
import type { ModelImage } from '../../platform/llm/language-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { InstallHosts } from '../../platform/runner/runner.ts';
import type { FileChange } from '../files/index.ts';

export type ToolContext = {
  executionId: string;
  userId: OwnerId;
  projectId: string;
  stepId: string;
  /** Aborts with the end of the step, and when it waits for a person. */
  signal: AbortSignal;
  language: Language;
  /** What a person has decided about hosts of the run's install steps; null where none was asked. */
  installHosts: InstallHosts | null;
  /** A person has approved the call. */
  isApproved: boolean;
  /** What the step and its run have left (ms). */
  leftMs: () => number;
  /** What the step has read so far, by path and hash. */
  reads: readonly ReadFileOfStep[];
  /** When the step began, and the steps of its run as they were before the call. */
  startedAt: Date | null;
  steps: readonly StepInRun[];
};

/** A step whose changes of files the tools name. */
type StepInRun = { stepId: string; agentTitle: string; completedAt: Date | null };

/**
 * The end of a call. `text` is data for the model, never an instruction. `images` are shown to a model that sees. Files that the call changes in the run, and which ones it has
 * read, are stored together with its end. `stamp`: the state of the run's files that `writes` were made for (`FileRepository.stamp`). Where another step
 * has changed a file since, nothing is stored and the call is carried out again.
 */
export type ToolResult =
  | {
      ok: true;
      text: string;
      images?: readonly ModelImage[];
      writes?: readonly FileChange[];
      stamp?: string;
      reads?: readonly ReadFileOfStep[];
      tests?: ToolTests;
    }
  /** `isUnknown`: it may have been carried out, as a call whose answer was lost. `isOwn`: this server has refused it, and nothing outside was asked. */
  | { ok: false; failure: Failure; isUnknown?: boolean; isOwn?: boolean; reads?: readonly ReadFileOfStep[] };

/** Tests that a call has executed, with their log. They are stored as those of the step. */
export type ToolTests = { run: TestRun & { logEnd?: string }; log: string; needs?: InstallNeeds };

/** A tool that the agents of a run may call. */
export type RunTool = {
  /** Unique among the tools of a step; letters, digits, `_` and `-`. */
  name: string;
  /** Names the tool with its definition: an approval of a person holds for this key only. */
  key: string;
  description: string;
  /** The JSON schema of the arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
  effect: ToolEffect;
  source: ToolSource;
  policy: ToolPolicy;
  /** The call reaches nothing that a person of the project has not opened for all results: it never asks because of words from outside. */
  isTrusted?: (args: object) => boolean;
  /** The host that a call goes to, where its arguments choose it. A consent for the run covers this host alone. */
  hostOf?: (args: object) => string | null;
  /** The most calls of one step. */
  maxCalls?: number;
  /** The tests that a call executes, as people see them while it is under way; null for arguments that are refused. */
  testRunOf?: (args: object, at: Date) => TestRun | null;
  /** It is switched off: models are not told of it, and a call of an earlier turn fails with the reason. */
  isOff?: boolean;
  /** Carries the call out. `args` is parsed JSON that has not been checked. Rejects only for bugs, and when the signal aborts. */
  carryOut: (args: unknown, context: ToolContext) => Promise<ToolResult>;
};

/** A step whose agent is about to be asked. */
export type ToolStep = {
  userId: OwnerId;
  projectId: string;
  /** The version whose tools the agent has; null for those that it has now. */
  teamVersionId: string | null;
  agentId: string;
  executionId: string;
  language: Language;
  /** The run has files: of its user, or of earlier steps. */
  hasFiles: boolean;
  /** What the agent may do with them. */
  fileAccess: AgentWork['fileAccess'];
  /** The agent may have been given tools of tool servers. */
  hasServerTools: boolean;
  /** The agent may have the project's tests executed. */
  runsTests: boolean;
  /** The hosts of the project whose pages agents may read. */
  fetchHosts: readonly string[];
};

/** Gives the agents of runs tools. The providers of the server are asked one after another; of two tools with one name the first counts. */
export type ToolProvider = { toolsFor: (step: ToolStep) => Promise<RunTool[]> };
