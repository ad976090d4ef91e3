import { z } from 'zod';
import { id, timestamp } from './common.ts';

const count = z.number().int().min(0);

/** A file that an execution's agents handed over, as the latest of them left it. Its path is a name, never a place on a disk. */
export const executionFile = z.object({
  path: z.string(),
  /** Bytes. */
  size: count,
  /** As the agent named it; null where it did not. */
  language: z.string().nullable(),
  stepId: id,
  stepName: z.string(),
  orderIndex: count,
  agentId: id,
  agentTitle: z.string(),
  role: z.string(),
  simulated: z.boolean(),
  /** How many steps of this execution handed it over. */
  versions: z.number().int().min(1),
  /** Whether an earlier step, or an earlier execution of the project that completed, left another version. */
  hasPrevious: z.boolean(),
  createdAt: timestamp,
});

export type ExecutionFile = z.infer<typeof executionFile>;

/** Why a file that an answer hands over is not kept. */
const refusalReasons = [
  'unclosed',
  'binary',
  'path_empty',
  'path_absolute',
  'path_outside',
  'path_characters',
  'path_reserved',
  'path_too_long',
  'path_taken',
  'too_large',
  'no_room',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** What an answer named as a file and was not kept: a code, and a sentence in the caller's language. */
const refusedFile = z.object({ path: z.string(), reason: z.enum(refusalReasons), message: z.string(), stepId: id });

export const executionFiles = z.object({ files: z.array(executionFile), refused: z.array(refusedFile) });
export type ExecutionFiles = z.infer<typeof executionFiles>;

export const byFilePath = z.object({ path: z.string().min(1).max(1_000) });

/** What an execution's files change in the project. Nothing is pushed anywhere. */
export const pullRequest = z.object({
  title: z.string(),
  /** Markdown, in the language of the run. */
  description: z.string(),
  /** Unified, as git writes it, against the files of the project's earlier completed executions. */
  diff: z.string(),
  files: z.array(z.object({ path: z.string(), change: z.enum(['added', 'changed']), additions: count, deletions: count })),
  additions: count,
  deletions: count,
  /** True when a simulated model wrote any of the files. */
  simulated: z.boolean(),
});
export type PullRequest = z.infer<typeof pullRequest>;

/** How the latest version of a file differs from the one before it: of an earlier step, else of an earlier execution of the project. */
export const fileComparison = z.object({
  path: z.string(),
  /** The earlier version, null for a file without one. */
  against: z.object({ from: z.enum(['step', 'execution']), stepName: z.string(), createdAt: timestamp }).nullable(),
  additions: count,
  deletions: count,
  /** Unified, as git writes it; empty where nothing differs or there is nothing to compare with. */
  diff: z.string(),
});
export type FileComparison = z.infer<typeof fileComparison>;
