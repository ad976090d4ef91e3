import { z } from 'zod';
import { entity, id, timestamp, wordOrPlace } from './common.ts';
import { maxParallelSteps, parallelByBranches } from './executions/parallel-steps.ts';
import { testCommand } from './executions/test-run.ts';
import { installPolicies, installs } from './runner.ts';
import { maxCalls, maxTurns } from './step-room.ts';

export const projectStatuses = ['draft', 'active', 'onHold', 'completed', 'archived'] as const;

export const project = entity.extend({
  name: z.string(),
  description: z.string(),
  status: z.enum(projectStatuses),
  isDemo: z.boolean(),
  userId: id,
  /** Steps that runs of the workspace carry out at the same time. Absent: one. */
  parallelSteps: z.number().int().min(1).max(maxParallelSteps).optional(),
  /** Each run decides: four where the canvas has branches, else one. `parallelSteps` is then for clients that do not know this field. */
  branchesTogether: z.literal(true).optional(),
  /** In runs that the workspace starts, every result waits until a person hands it on. */
  holdHandOffs: z.boolean().optional(),
  /** What a runner executes after the step of a tester; absent: nothing. */
  testCommand: z.string().optional(),
  /** What a runner installs before that. Absent: what lock files or else manifests name. */
  installs: installs.optional(),
  /** Hosts whose pages agents may read, also once results from outside are in a run; absent: those of the operator alone. */
  fetchHosts: z.array(z.string()).optional(),
  /** The most turns and calls of tools of one step; absent: the usual ones. */
  maxTurns: maxTurns.optional(),
  maxCalls: maxCalls.optional(),
  /** The version of its canvas, for a page that hears of changes by polling. */
  canvasVersion: z.number().int().min(0).optional(),
});
export type Project = z.infer<typeof project>;
export type ProjectStatus = Project['status'];

/** `default` is the signed-in user's first project. */
export const projectId = id.or(z.literal('default'));

export const projectNameMaxLength = 200;
const name = z.string().trim().min(1).max(projectNameMaxLength);
const description = z.string().max(10_000);

export const projectCreation = z.object({ name, description: description.default('') });

export const fetchHostsMaxCount = 50;
/** A host, with its port unless it is the usual one. `*.example.com` stands for all hosts below `example.com`. */
export const fetchHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .regex(/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[1-9]\d{0,4})?$/);

/** A field that is left out keeps its value. */
export const projectUpdate = z.object({
  name: name.optional(),
  description: description.optional(),
  parallelSteps: z.number().int().min(parallelByBranches).max(maxParallelSteps).optional(),
  holdHandOffs: z.boolean().optional(),
  /** Empty: nothing is executed any more. */
  testCommand: testCommand.optional(),
  installs: z.enum(installPolicies).optional(),
  /** Empty: those of the operator alone. */
  fetchHosts: z.array(fetchHost).max(fetchHostsMaxCount).optional(),
  /** Null: the usual ones. */
  maxTurns: maxTurns.nullable().optional(),
  maxCalls: maxCalls.nullable().optional(),
});

/** The fields of a project that its owner can change, for a form. */
export const projectDetails = z.object({ name, description, status: z.enum(projectStatuses) });

export const projectStatusChange = z.object({ status: wordOrPlace(projectStatuses) });

const number = z.number().int().min(0);

export const projectStatistics = z.object({
  /** Agents with a node on the canvas; of these, those that are active or busy. */
  totalAgents: number,
  activeAgents: number,
  /** Pipelines that are not archived; pipelines with an execution that has not ended. */
  totalPipelines: number,
  activePipelines: number,
  totalExecutions: number,
  successfulExecutions: number,
  failedExecutions: number,
  /** The mean working time of the successful executions (ms); null if there are none. */
  averageExecutionTime: z.number().min(0).nullable(),
  lastActivity: timestamp,
});
export type ProjectStatistics = z.infer<typeof projectStatistics>;

export const byProjectStatus = z.object({ status: wordOrPlace(projectStatuses) });
