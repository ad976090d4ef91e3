import type { Handlers } from '../../../http/call.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import type { FilesOfExecutions } from '../files/execution-files.ts';

type Names =
  | 'execution.files'
  | 'execution.fileContent'
  | 'execution.fileComparison'
  | 'execution.archive'
  | 'execution.pullRequest'
  | 'execution.patch';

/** Limits of calls that compare or pack files: each holds all files in memory, and all share one thread. */
const costlyCalls = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 64, maxPerAccount: 8 };

export function executionFileHandlers(files: FilesOfExecutions): Pick<Handlers, Names> {
  const costly = new AdmissionQueue(costlyCalls);
  return {
    'execution.files': ({ user, params, language }) => files.list(user.ownerId, params.id, language),
    'execution.fileContent': ({ user, params, query }) => files.content(user.ownerId, params.id, query.path),
    'execution.fileComparison': ({ user, params, query, signal }) =>
      costly.run(user.ownerId, () => files.comparison(user.ownerId, params.id, query.path), signal),
    'execution.archive': ({ user, params, signal }) => costly.run(user.ownerId, () => files.archive(user.ownerId, params.id), signal),
    'execution.pullRequest': ({ user, params, signal }) =>
      costly.run(user.ownerId, () => files.pullRequest(user.ownerId, params.id), signal),
    'execution.patch': ({ user, params, signal }) => costly.run(user.ownerId, () => files.patch(user.ownerId, params.id), signal),
  };
}
