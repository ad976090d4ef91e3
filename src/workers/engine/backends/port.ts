import type { z } from 'zod';
import type { Agent, agentCreation } from '../../../../contract/agent.ts';
import type { Canvas, CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import type { Execution, ExecutionDetails, ExecutionEvent, ExecutionStart } from '../../../../contract/execution.ts';
import type { Pipeline, PipelineCreation } from '../../../../contract/pipeline.ts';
import type { Project } from '../../../../contract/project.ts';
import type { ResultItem } from '../../../../contract/result.ts';
import type { AgentConfigurationChange } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';

/**
 * Why a call came to nothing, by what there is to do about it: `unauthenticated` wait for a session, `unreachable` try again
 * later, `stale` somebody saved first, `refused` tell the user.
 */
export type BackendFault = {
  kind: 'unauthenticated' | 'unreachable' | 'stale' | 'refused';
  problem: Problem;
  status: number;
  retryAfterMs: number | null;
};

export type Answer<T> = { ok: true; value: T } | { ok: false; fault: BackendFault };

type SaveKey = { idempotencyKey: string };

/** Where a workspace's content is kept and its runs are done. */
export type Backend = {
  openProject(projectId: string): Promise<Answer<Project>>;
  readCanvas(projectId: string): Promise<Answer<Canvas>>;
  patchCanvas(
    projectId: string,
    change: { baseVersion: number; patches: CanvasPatch[] },
    key: SaveKey,
  ): Promise<Answer<{ version: number }>>;
  putCanvas(projectId: string, canvas: CanvasDocument & { baseVersion: number }, key: SaveKey): Promise<Answer<{ version: number }>>;

  listAgents(): Promise<Answer<Agent[]>>;
  createAgent(agent: z.input<typeof agentCreation>, key: SaveKey): Promise<Answer<Agent>>;
  configureAgent(agent: Agent, change: AgentConfigurationChange): Promise<Answer<Agent>>;

  createPipeline(pipeline: PipelineCreation, key: SaveKey): Promise<Answer<Pipeline>>;
  removePipeline(pipelineId: string): Promise<Answer<undefined>>;

  listExecutions(projectId: string, limit: number): Promise<Answer<Execution[]>>;
  readExecution(executionId: string): Promise<Answer<ExecutionDetails>>;
  /** Events after `since`, in order; one page of at most `limit`. */
  readLogs(executionId: string, since: number, limit: number): Promise<Answer<ExecutionEvent[]>>;
  startExecution(start: ExecutionStart, key: SaveKey): Promise<Answer<Execution>>;
  controlExecution(executionId: string, action: ExecutionAction): Promise<Answer<Execution>>;
  addContext(executionId: string, context: RunContext, key: SaveKey): Promise<Answer<Execution>>;

  listResults(projectId: string): Promise<Answer<ResultItem[]>>;
  removeResult(id: string): Promise<Answer<undefined>>;
};

export type ExecutionAction = 'pause' | 'resume' | 'nextStep' | 'stop';

/** What a message adds to a run under way. W3.06 */
export type RunContext = {
  content: string;
  dialogNodeId: string | null;
  dialogNodeTitle: string | null;
  projectId: string;
  timestamp: string;
};
