import { z } from 'zod';
import { id, timestamp } from '../common.ts';
import { email } from '../email.ts';
import { inputAddition, repositoryPaths } from '../input.ts';

/** The kinds of servers where pull requests are opened; `none` for a server without them. */
export const forges = ['github', 'gitlab', 'gitea', 'none'] as const;
export type Forge = (typeof forges)[number];

/** An author as Git knows it. */
const person = z.object({ name: z.string(), email: z.string() });

/** Where the runs of a project are published. The token is never returned. */
export const gitTarget = z.object({
  url: z.string(),
  /** The branch that pull requests are for, and where new branches begin. */
  baseBranch: z.string(),
  /** The beginning of the names of new branches. */
  prefix: z.string(),
  forge: z.enum(forges),
  /** Who the commits are by; null for the person who publishes. */
  author: person.nullable(),
  /** Whether commits have a line `Signed-off-by`. */
  signsOff: z.boolean(),
  /** The folders and files of the repository that runs are given; all of it without any. */
  paths: z.array(z.string()),
  hasToken: z.boolean(),
  tokenLast4: z.string().nullable(),
  updatedAt: timestamp,
});
export type GitTarget = z.infer<typeof gitTarget>;

/** Null for a project that is not published. */
export const projectGitTarget = z.object({ target: gitTarget.nullable() });
export type ProjectGitTarget = z.infer<typeof projectGitTarget>;

/** Returns the short name of a branch whose full name may be given. */
export function shortBranch(name: string): string {
  return name.replace(/^refs\/heads\//, '');
}

/** A branch by its short or full name: all that Git allows but control and invisible characters. A run may have begun with such a one. */
const branchName = z
  .string()
  .trim()
  .transform(shortBranch)
  .pipe(
    z
      .string()
      .min(1)
      .max(250)
      .refine(
        (name) =>
          !/[\s~^:?*[\\\p{C}]/u.test(name) &&
          !name.startsWith('-') &&
          name !== '@' &&
          !name.includes('..') &&
          !name.includes('@{') &&
          !name.endsWith('.') &&
          name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock')),
      ),
  );

/** An author whose name has one line, and no character that Git or a reader would take for something else. */
const personUpdate = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^<>\p{C}\p{Zl}\p{Zp}]+$/u),
  email,
});

/**
 * A field that is left out stays as it is stored: of a project without a repository, `prefix` is then `artel/`, and the others are empty. `token` stays
 * only on the same host. Null removes `token`, and makes the person who publishes the `author`.
 */
export const gitTargetUpdate = z.object({
  url: z.string().trim().min(1).max(2_000),
  baseBranch: branchName,
  prefix: z
    .string()
    .trim()
    .max(50)
    .regex(/^([\p{L}\p{N}][\p{L}\p{N}_-]*\/?)?$/u)
    .optional(),
  forge: z.enum(forges),
  author: personUpdate.nullable().optional(),
  signsOff: z.boolean().optional(),
  paths: repositoryPaths.optional(),
  token: z.string().trim().min(1).max(1_000).nullable().optional(),
});
export type GitTargetUpdate = z.input<typeof gitTargetUpdate>;

/**
 * `automation`: the files that a person has ticked, of `automation` and `unlisted` of the plan. Others of them are refused. `branch`: one of the
 * plan's. `base`: the branch that a new branch begins at, and that its pull request is for.
 */
export const publishRequest = z.object({
  automation: z.array(z.string().max(1_000)).max(5_000).default([]),
  branch: branchName.optional(),
  base: branchName.optional(),
});

/** A pushed branch. */
export const publication = z.object({
  executionId: id,
  url: z.string(),
  branch: z.string(),
  /** The branch that it is for. */
  base: z.string(),
  /** The run's last commit on the branch, and the commit that the branch began at. */
  sha: z.string(),
  baseSha: z.string(),
  pullRequest: z.object({ url: z.string(), number: z.number().int() }).nullable(),
  /** Files that the run or the repository has renamed: changes of the other side went to the new path. */
  renamed: z.array(z.object({ path: z.string(), from: z.string() })),
  /** Why there is no pull request although the server has them, or why it is no draft; null without a problem. */
  problem: z.string().nullable(),
  publishedAt: timestamp,
});
export type Publication = z.infer<typeof publication>;

/** What publishing would do. */
export const publicationPlan = z.object({
  target: gitTarget.nullable(),
  branch: z.string(),
  /**
   * The branches that the run may be pushed to: that of the run that it follows or is a fork of, and a new one. `base`: the branch that it is for,
   * which is fixed unless the branch is new. `branch` is the first of them.
   */
  branches: z.array(z.object({ name: z.string(), base: z.string(), isNew: z.boolean() })),
  /** Who the commit would be by; null for Artel itself. */
  author: person.nullable(),
  /** Why the person who publishes is not the author, and what to do about it; null where there is nothing to do. */
  authorProblem: z.string().nullable(),
  /** How many files have changed, as `execution.files` lists them: one that was moved is one. */
  files: z.number().int().min(0),
  /** Files of CI, hooks and the like, which run by themselves. */
  automation: z.array(z.string()),
  /** Other new files in the root or in a folder with a dot, where programs look for such files. */
  unlisted: z.array(z.string()),
  /** The last publication of this run. */
  publication: publication.nullable(),
});
export type PublicationPlan = z.infer<typeof publicationPlan>;

/**
 * The files of a run that goes on with the branch of a published one. `text`: the task, with the comments of the review. `problem`: why they
 * could not be read; null where they were, and where the server has none.
 */
export const followUp = inputAddition.extend({
  branch: z.string(),
  text: z.string(),
  comments: z.number().int().min(0),
  problem: z.string().nullable(),
  /** The dialog that the published run was started with. */
  dialogNodeId: z.string().nullable(),
});
export type FollowUp = z.infer<typeof followUp>;

/** Reasons to refuse a publication. */
const publishRefusals = [
  'no_target',
  'no_files',
  'automation',
  'base_branch',
  'branch',
  'author',
  'author_address',
  'not_published',
  'address',
  'no_host',
  'proxy',
  'not_found',
  'needs_token',
  'ref',
  'empty',
  'head',
  'untrusted',
  'too_large',
  'timeout',
  'host',
  'failed',
  'nothing',
  'rejected',
  'branch_moved',
  'base_moved',
] as const;
export type PublishRefusal = (typeof publishRefusals)[number];
