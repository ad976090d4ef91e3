import { validate } from 'uuid';
import { ApiError } from '../../http/api-error.ts';
import type { Executions } from '../executions/index.ts';
import { readMissed } from './read-missed.ts';
import type { PipelineUpdate } from './user-feed.ts';

/** Events of one execution that are read by one query when a client has missed some. */
const readAtOnce = 200;

/**
 * What was stored of an execution of the user after `since`, page by page: of that pipeline only, where one is named. Nothing for
 * an execution that is not there or another's.
 */
export async function* missedUpdates(
  executions: Pick<Executions, 'get' | 'events'>,
  userId: string,
  pipelineId: string | null,
  executionId: string,
  since: number,
): AsyncGenerator<PipelineUpdate[]> {
  if (!validate(executionId)) return;
  try {
    const execution = await executions.get(userId, executionId);
    if (pipelineId !== null && execution.pipelineId !== pipelineId) return;
    const about = { type: 'pipeline_update', projectId: execution.projectId, pipelineId: execution.pipelineId, executionId } as const;
    const read = (from: number, limit: number) => executions.events(userId, executionId, from, limit);
    for await (const page of readMissed(read, since, readAtOnce)) {
      yield page.map((event) => ({ ...about, status: event.status, seq: event.seq, event }));
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
  }
}
