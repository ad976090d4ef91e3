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
    'execution.files': ({ user, params, language }) => files.list(user.id, params.id, language),
    'execution.fileContent': ({ user, params, query }) => files.content(user.id, params.id, query.path),
    'execution.fileComparison': ({ user, params, query, signal }) =>
      costly.run(user.id, () => files.comparison(user.id, params.id, query.path), signal),
    'execution.archive': ({ user, params, signal }) => costly.run(user.id, () => files.archive(user.id, params.id), signal),
    'execution.pullRequest': ({ user, params, signal }) => costly.run(user.id, () => files.pullRequest(user.id, params.id), signal),
    'execution.patch': ({ user, params, signal }) => costly.run(user.id, () => files.patch(user.id, params.id), signal),
  };
}
