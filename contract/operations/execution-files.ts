import type { OperationDocs } from './operation.ts';
import { sampleExecution, sampleFile, sampleIds, sampleTimes } from './samples.ts';

type Names =
  | 'execution.files'
  | 'execution.fileContent'
  | 'execution.fileComparison'
  | 'execution.archive'
  | 'execution.pullRequest'
  | 'execution.patch'
  | 'execution.publication'
  | 'execution.publish'
  | 'execution.followUp'
  | 'execution.bundle';

const id = sampleIds.execution;
const task = sampleExecution.initialTask;
const diff = '--- /dev/null\n+++ b/src/filter.ts\n@@ -0,0 +1 @@\n+export const byPrice = (max) => (item) => item.price <= max;\n';

const added = { change: 'added', from: null, similarity: null, executable: null, isBinary: false } as const;

const branch = 'artel/filter-000000000008';
const base = 'main';
const publication = {
  executionId: id,
  url: 'https://git.example.com/ann/shop',
  branch,
  base,
  publishedAt: sampleTimes.completed,
  sha: 'fedcba9876543210fedcba9876543210fedcba98',
  baseSha: '0123456789abcdef0123456789abcdef01234567',
  pullRequest: { url: 'https://git.example.com/ann/shop/pulls/1', number: 1 },
  renamed: [],
  problem: null,
};

/** Operations on what an execution wrote: files, archives, pull requests and what was published. */
export const executionFileOperations: Pick<OperationDocs<'execution'>, Names> = {
  'execution.files': {
    summary: 'List the files of an execution',
    description:
      'Returns the latest version of each file that the agents wrote, moved or removed, and the files that the server refused with the reason.',
    example: { params: { id }, response: { files: [sampleFile], refused: [] } },
  },
  'execution.fileContent': {
    summary: 'Get the content of a file',
    description: 'Returns the latest version of one file as plain text. Fails with 404 when the execution has no file with this path.',
    example: {
      params: { id },
      query: { path: 'src/filter.ts' },
      response: 'export const byPrice = (max) => (item) => item.price <= max;\n',
    },
  },
  'execution.fileComparison': {
    summary: 'Compare a file with its earlier version',
    description: 'Returns the difference between the latest version of a file and the one before it, as a unified diff.',
    example: {
      params: { id },
      query: { path: 'src/filter.ts' },
      response: { path: 'src/filter.ts', against: null, ...added, additions: 1, deletions: 0, diff },
    },
  },
  'execution.archive': {
    summary: 'Download all files as a ZIP',
    description: 'Returns the latest version of every file that an execution of the caller wrote or moved as a ZIP archive, with its mode.',
    example: { params: { id } },
  },
  'execution.pullRequest': {
    summary: 'Get the changes as a pull request',
    description:
      'Returns title, description and unified diff of the files against the earlier completed executions of the project. Nothing is pushed to a repository.',
    example: {
      params: { id },
      response: {
        title: task,
        description: 'Adds a price filter.',
        diff,
        files: [{ path: 'src/filter.ts', ...added, additions: 1, deletions: 0 }],
        additions: 1,
        deletions: 0,
        simulated: false,
      },
    },
  },
  'execution.patch': {
    summary: 'Download the changes as a patch',
    description: 'Returns the diff of the pull request as a file that `git apply` takes.',
    example: { params: { id }, response: diff },
  },
  'execution.publication': {
    summary: 'Get what publishing would do',
    description:
      'Returns the branches that an ended execution of the caller may be pushed to, the usual one first, its files, and its last publication. `author` is who the commit would be by. `automation` has the files that run by themselves, `unlisted` other new ones in the root or in a folder with a dot.',
    example: {
      params: { id },
      response: {
        target: null,
        branch,
        branches: [{ name: branch, base, isNew: false }],
        author: null,
        files: 1,
        automation: [],
        unlisted: [],
        authorProblem: 'The commit would be Artel’s own: confirm your address.',
        publication,
      },
    },
  },
  'execution.publish': {
    summary: 'Publish an execution',
    description:
      'Pushes the files of an ended execution as one commit to a branch of the plan, and opens a draft pull request for `base`. Files that both sides have changed are merged line by line, also under new names; again, it adds a commit only for changed files. Fails with `publish_refused` or `publish_conflict` and a reason in `details.reason`; `errors` has what conflicts.',
    example: { params: { id }, body: { automation: [] }, response: publication },
  },
  'execution.followUp': {
    summary: 'Go on with a published branch',
    description:
      'Makes a set of files for a new execution: the repository at the newest commit of the branch that an execution was published to. `text` is a task with the open comments of its pull request, which a person reads before the start. An execution that starts with the set is published to the same branch.',
    example: {
      params: { id },
      response: {
        set: {
          id: sampleIds.inputSet,
          projectId: sampleIds.project,
          files: [],
          count: 0,
          bytes: 0,
          createdAt: sampleTimes.completed,
          sealedAt: null,
          git: { url: publication.url, ref: branch, sha: publication.sha, isBranch: true },
        },
        leftOut: [],
        branch,
        text: 'Answer the review.',
        comments: 1,
        problem: null,
        dialogNodeId: 'dialog-1',
      },
    },
  },
  'execution.bundle': {
    summary: 'Download an execution as a Git bundle',
    description: 'Returns the branch of an ended execution of the caller as a file that `git fetch` takes in the place of a repository.',
    example: { params: { id } },
  },
};
