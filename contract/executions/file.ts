import { z } from 'zod';
import { id, pathRefusals, timestamp } from '../common.ts';

const count = z.number().int().min(0);

/** How a file differs from what there was before, as Git tells it. */
const changeOfFile = {
  change: z.enum(['added', 'changed', 'removed', 'renamed']),
  /** The path that a renamed file had, and how much of it is the same (percent); null for other changes. */
  from: z.string().nullable(),
  similarity: z.number().int().min(50).max(100).nullable(),
  /** Whether the file is executable now; null where its mode is the same, and for a new file of the usual mode. */
  executable: z.boolean().nullable(),
  /** Not compared by lines: one of the versions is not text. */
  isBinary: z.boolean(),
};

/**
 * The latest version of a file that an execution's agents changed. A removed one has no content; one that was moved is listed once, at its new
 * path. Its path is only a name, never a path on a disk.
 */
export const executionFile = z.object({
  path: z.string(),
  ...changeOfFile,
  /** Bytes; 0 for a removed file. */
  size: count,
  /** The language that the agent named; null without one. */
  language: z.string().nullable(),
  stepId: id,
  stepName: z.string(),
  orderIndex: count,
  agentId: id,
  agentTitle: z.string(),
  role: z.string(),
  simulated: z.boolean(),
  /** Number of steps of this execution that wrote it. */
  versions: z.number().int().min(1),
  /** Whether there is a version to compare with: in the base tree, of an earlier step, or of an earlier completed execution of the project. */
  hasPrevious: z.boolean(),
  createdAt: timestamp,
});

export type ExecutionFile = z.infer<typeof executionFile>;

/** Reasons to refuse a file of an agent's answer. `not_replaceable`: the run began with something there that is not text, or was
 * left out. `not_in_encoding`: it began with a text in an encoding that lacks characters of the new one. `no_access`: the settings of
 * the agent do not let it change files. `changed_meanwhile`: a step beside it has changed the file, which it has not seen. */
const refusalReasons = [
  'unclosed',
  'binary',
  ...pathRefusals,
  'not_replaceable',
  'not_in_encoding',
  'too_large',
  'no_room',
  'no_access',
  'changed_meanwhile',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A refused file: a code, and a sentence in the caller's language. */
const refusedFile = z.object({ path: z.string(), reason: z.enum(refusalReasons), message: z.string(), stepId: id });

export const executionFiles = z.object({ files: z.array(executionFile), refused: z.array(refusedFile) });
export type ExecutionFiles = z.infer<typeof executionFiles>;

export const byFilePath = z.object({ path: z.string().min(1).max(1_000) });

/** The changes of an execution's files in the project. They are not pushed to a repository. */
export const pullRequest = z.object({
  title: z.string(),
  /** Markdown, in the language of the run. */
  description: z.string(),
  /** Unified, as git writes it (files that are not text are only named), against the run's base tree; without one, against the files of the project's earlier completed executions. */
  diff: z.string(),
  files: z.array(z.object({ path: z.string(), ...changeOfFile, additions: count, deletions: count })),
  additions: count,
  deletions: count,
  /** True when a simulated model wrote any of the files. */
  simulated: z.boolean(),
});
export type PullRequest = z.infer<typeof pullRequest>;

/**
 * The difference between the latest version of a file and the one before. That is the one in the run's base tree where there is one, else
 * of an earlier step, else of an earlier execution. A file that the base tree does not have is compared with nothing: it is new.
 */
export const fileComparison = z.object({
  path: z.string(),
  ...changeOfFile,
  /** The earlier version, null for a file without one. */
  against: z.object({ from: z.enum(['base', 'step', 'execution']), stepName: z.string(), createdAt: timestamp }).nullable(),
  additions: count,
  deletions: count,
  /** Unified, as git writes it; empty without a difference or an earlier version. Files that are not text are only named. */
  diff: z.string(),
});
export type FileComparison = z.infer<typeof fileComparison>;
