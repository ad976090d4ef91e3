import { ApiError } from '../../../http/api-error.ts';
import { type Handlers, paged } from '../../../http/call.ts';
import type { ExecutionReads } from '../execution-reads.ts';
import type { Readiness } from '../readiness.ts';
import type { Executions } from '../service.ts';
import type { TestLogRead } from '../store/test-run-rows.ts';
import type { CallReads } from '../tools/stored-turns.ts';

type Names =
  | 'execution.byPipeline'
  | 'execution.byStatus'
  | 'execution.byUser'
  | 'execution.statistics'
  | 'execution.memory'
  | 'execution.links'
  | 'execution.toolCalls'
  | 'execution.testLog'
  | 'execution.readiness';

type ReadHandlersDeps = {
  executions: Pick<Executions, 'list'>;
  reads: ExecutionReads;
  readiness: Readiness;
  calls: CallReads;
  testLog: TestLogRead;
};

export function executionReadHandlers({ executions, reads, readiness, calls, testLog }: ReadHandlersDeps): Pick<Handlers, Names> {
  return {
    'execution.byPipeline': ({ user, params, query }) => paged(reads.ofPipeline(user.ownerId, params.id, query)),
    'execution.byStatus': ({ user, params, query }) => paged(executions.list(user.ownerId, { ...query, status: params.status })),
    'execution.byUser': ({ user, params, query }) => {
      if (params.userId !== user.ownerId) throw new ApiError('not_found');
      return paged(executions.list(user.ownerId, query));
    },
    'execution.statistics': ({ user, params }) => reads.statistics(user.ownerId, params.id),
    'execution.memory': ({ user, params, language }) => reads.memory(user.ownerId, params.id, language),
    'execution.links': ({ user, params }) => reads.links(user.ownerId, params.id),
    'execution.toolCalls': ({ user, params, query }) => paged(calls(user.ownerId, params.id, query)),
    'execution.testLog': ({ user, params }) => testLog(user.ownerId, params.id, params.stepId),
    'execution.readiness': ({ user, params, language }) => readiness(user.ownerId, params.id, language),
  };
}
