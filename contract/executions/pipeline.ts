import { z } from 'zod';
import { entity, id, wordOrPlace } from '../common.ts';
import { maxParallelSteps } from './parallel-steps.ts';
import { linkSettings, listSettings, stepSettings } from './run-graph.ts';

const pipelineStatuses = ['draft', 'ready', 'running', 'archived'] as const;
export const stepTimeoutSeconds = 1_800;
export const executionTimeoutSeconds = 3_600;
export const executionPriority = 5;
/** Steps that one pipeline can have. */
export const maxSteps = 10_000;
/** Links that one pipeline can have. */
export const maxPipelineLinks = 40_000;

export const pipelineStep = z.object({
  id,
  name: z.string(),
  description: z.string(),
  orderIndex: z.number().int().min(0),
  agentId: id,
  /** The canvas node of this step. */
  nodeId: z.string().nullable(),
  timeoutSeconds: z.number().int().min(1),
  type: z.literal(1),
  /** How the step takes part in a run with links. */
  settings: stepSettings.optional(),
  /** The group that the step belongs to, of the pipeline's `groups`. */
  groupId: z.string().optional(),
});

const linkEnd = z.string().min(1).max(200);

/** "After, with its result": `from` and `to` are the `nodeId` of steps of the pipeline. */
const pipelineLink = linkSettings.extend({ id: linkEnd, from: linkEnd, to: linkEnd });
export type PipelineLink = z.infer<typeof pipelineLink>;

/** A group of steps that runs once for each item of a list. */
const pipelineGroup = listSettings.extend({ id: linkEnd });
export type PipelineGroup = z.infer<typeof pipelineGroup>;

const links = z.array(pipelineLink).max(maxPipelineLinks);
const groups = z.array(pipelineGroup).max(maxSteps);
const maxParallel = z.number().int().min(1).max(maxParallelSteps);

const name = z.string().trim().min(1).max(200);
const description = z.string().max(4_000);
const order = z.number().int().min(0);
const nodeId = z.string().max(200).nullable();
const timeoutSeconds = z.number().int().min(1).max(stepTimeoutSeconds);

/** `order` is an alias of `orderIndex`, which takes precedence. Without either a step is added at the end. */
export const pipelineStepCreation = z.object({
  name,
  description: description.default(''),
  orderIndex: order.optional(),
  order: order.optional(),
  agentId: id,
  nodeId: nodeId.default(null),
  timeoutSeconds: timeoutSeconds.default(stepTimeoutSeconds),
  type: z.literal(1).default(1),
  settings: stepSettings.optional(),
  groupId: linkEnd.optional(),
});

/** A field that is left out keeps its value; a new order moves the step. */
export const pipelineStepUpdate = z.object({
  name: name.optional(),
  description: description.optional(),
  orderIndex: order.optional(),
  order: order.optional(),
  agentId: id.optional(),
  nodeId: nodeId.optional(),
  timeoutSeconds: timeoutSeconds.optional(),
  settings: stepSettings.optional(),
  groupId: linkEnd.optional(),
});

/** Every step of the pipeline, in the order wanted. */
export const pipelineStepOrder = z.object({ stepIds: z.array(id).max(maxSteps) });

export const pipeline = entity.extend({
  name: z.string(),
  description: z.string(),
  projectId: id,
  steps: z.array(pipelineStep),
  /**
   * Links between the steps. With links that say more than an order, or with `maxParallel` above 1, an execution follows the links. Without,
   * the steps run one after another. Without links a `configuration` with `flowType: 'graph'` says that no step waits for another, up to
   * `maxParallel`, and that groups work through the task.
   */
  links: links.optional(),
  groups: groups.optional(),
  /** Steps that run at the same time; 1 unless set. */
  maxParallel: maxParallel.optional(),
  /** JSON text: `{ connections, flowType: 'sequential' }`, or `'graph'` as in `links`. */
  configuration: z.string(),
  /** `running` while one of its executions has not ended. */
  status: z.enum(pipelineStatuses),
  maxExecutionTimeSeconds: z.number().int().nullable(),
  isDemo: z.boolean(),
});
export type Pipeline = z.infer<typeof pipeline>;

const configuration = z.string().max(1_000_000);
const maxExecutionTimeSeconds = z.number().int().min(1).max(86_400).nullable();

export const pipelineCreation = z.object({
  name,
  description: description.default(''),
  projectId: id.or(z.literal('default')),
  steps: z.array(pipelineStepCreation).max(maxSteps),
  links: links.optional(),
  groups: groups.optional(),
  maxParallel: maxParallel.optional(),
  configuration: configuration.default('{}'),
  maxExecutionTimeSeconds: maxExecutionTimeSeconds.default(null),
  /** The version of the canvas that the pipeline was made from. Another one at present fails with 409 `canvas_stale`. */
  canvasVersion: z.number().int().min(0).optional(),
});
export type PipelineCreation = z.input<typeof pipelineCreation>;

/** A field that is left out keeps its value. `steps` replaces all steps; a step with a known `id` keeps it. */
export const pipelineUpdate = z.object({
  name: name.optional(),
  description: description.optional(),
  steps: z
    .array(pipelineStepCreation.extend({ id: id.optional() }))
    .max(maxSteps)
    .optional(),
  links: links.optional(),
  groups: groups.optional(),
  maxParallel: maxParallel.optional(),
  configuration: configuration.optional(),
  maxExecutionTimeSeconds: maxExecutionTimeSeconds.optional(),
});

export const pipelineStatusChange = z.object({ status: wordOrPlace(pipelineStatuses) });

/** A problem of a pipeline: a code, a sentence in the caller's language, and the node. */
const pipelineProblem = z.object({ code: z.string(), message: z.string(), nodeId: z.string().nullable() });
export type PipelineProblem = z.infer<typeof pipelineProblem>;

/** Errors stop a run, warnings do not. */
export const pipelineDiagnostics = z.object({ errors: z.array(pipelineProblem), warnings: z.array(pipelineProblem) });

/** Whether an execution of the pipeline can start, and all reasons why not. */
export const pipelineReadiness = z.object({ ready: z.boolean(), reasons: z.array(pipelineProblem) });
