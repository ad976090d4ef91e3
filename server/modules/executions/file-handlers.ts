import type { Handlers } from '../../http/call.ts';
import type { FilesOfExecutions } from './execution-files.ts';

type Names =
  | 'execution.files'
  | 'execution.fileContent'
  | 'execution.fileComparison'
  | 'execution.archive'
  | 'execution.pullRequest'
  | 'execution.patch';

export function executionFileHandlers(files: FilesOfExecutions): Pick<Handlers, Names> {
  return {
    'execution.files': ({ user, params, language }) => files.list(user.id, params.id, language),
    'execution.fileContent': ({ user, params, query }) => files.content(user.id, params.id, query.path),
    'execution.fileComparison': ({ user, params, query }) => files.comparison(user.id, params.id, query.path),
    'execution.archive': ({ user, params }) => files.archive(user.id, params.id),
    'execution.pullRequest': ({ user, params }) => files.pullRequest(user.id, params.id),
    'execution.patch': ({ user, params }) => files.patch(user.id, params.id),
  };
}
