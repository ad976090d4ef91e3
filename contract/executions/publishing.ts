import { z } from 'zod';
import { id, timestamp } from '../common.ts';
import { repositoryPaths } from '../input.ts';

/** The kinds of servers where pull requests are opened; `none` for a server without them. */
export const forges = ['github', 'gitlab', 'gitea', 'none'] as const;
export type Forge = (typeof forges)[number];

/** Where the runs of a project are published. The token is never returned. */
export const gitTarget = z.object({
  url: z.string(),
  /** The branch that pull requests are for, and where new branches begin. */
  baseBranch: z.string(),
  /** The beginning of the names of new branches. */
  prefix: z.string(),
  forge: z.enum(forges),
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

/** A part of a branch's name: Git allows more, and what is left out here has a meaning to it or to a shell. */
const branchName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u)
  .refine((name) => !name.includes('..') && !name.includes('//') && !name.includes('/.') && !/[./]$/.test(name) && !name.endsWith('.lock'));

/** Without `token` the stored one stays, if the host is the same; null removes it. Without `paths` those that are stored stay. */
export const gitTargetUpdate = z.object({
  url: z.string().trim().min(1).max(2_000),
  baseBranch: branchName.max(250),
  prefix: z
    .string()
    .trim()
    .max(50)
    .regex(/^([\p{L}\p{N}][\p{L}\p{N}_-]*\/?)?$/u)
    .default('artel/'),
  forge: z.enum(forges),
  paths: repositoryPaths.optional(),
  token: z.string().trim().min(1).max(1_000).nullable().optional(),
});
export type GitTargetUpdate = z.input<typeof gitTargetUpdate>;

/** `automation`: the files that a person has ticked, of `automation` and `unlisted` of the plan. Others of them are refused. */
export const publishRequest = z.object({ automation: z.array(z.string().max(1_000)).max(5_000).default([]) });
export type PublishRequest = z.input<typeof publishRequest>;

/** A pushed branch. */
export const publication = z.object({
  executionId: id,
  url: z.string(),
  branch: z.string(),
  /** The run's last commit on the branch, and the commit that the branch began at. */
  sha: z.string(),
  baseSha: z.string(),
  pullRequest: z.object({ url: z.string(), number: z.number().int() }).nullable(),
  /** Why there is no pull request although the server has them, or why it is no draft; null without a problem. */
  problem: z.string().nullable(),
  publishedAt: timestamp,
});
export type Publication = z.infer<typeof publication>;

/** What publishing would do. */
export const publicationPlan = z.object({
  target: gitTarget.nullable(),
  branch: z.string(),
  files: z.number().int().min(0),
  /** Files of CI, hooks and the like, which run by themselves. */
  automation: z.array(z.string()),
  /** Other new files in the root or in a folder with a dot, where programs look for such files. */
  unlisted: z.array(z.string()),
  /** The last publication of this run. */
  publication: publication.nullable(),
});
export type PublicationPlan = z.infer<typeof publicationPlan>;

/** Reasons to refuse a publication. */
export const publishRefusals = [
  'no_target',
  'no_files',
  'automation',
  'base_branch',
  'address',
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
  'odd_names',
] as const;
export type PublishRefusal = (typeof publishRefusals)[number];
