import { validate } from 'uuid';
import { ApiError } from '../../http/api-error.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { Executions } from '../executions/index.ts';
import type { PipelineUpdate } from './user-feed.ts';

/** The number of events in one query. */
const readAtOnce = 200;

type MissedUpdatesDeps = {
  executions: Pick<Executions, 'places' | 'events'>;
  userId: OwnerId;
  /** Reads this pipeline's executions only; null for all. */
  pipelineId: string | null;
  /** Runs a query when the account's other queries of this kind leave room. */
  inTurn: <T>(query: () => Promise<T>) => Promise<T>;
};

/**
 * Reads the stored events of the user's executions after the numbers in `since`, by execution id, page by page. One query finds the
 * executions with newer events. Other ids, also of removed and foreign executions, cost no further query.
 */
export async function* missedUpdates(
  { executions, userId, pipelineId, inTurn }: MissedUpdatesDeps,
  since: Record<string, number>,
): AsyncGenerator<PipelineUpdate[]> {
  const ids = Object.keys(since).filter((id) => validate(id));
  if (ids.length === 0) return;
  const places = await inTurn(() => executions.places(userId, ids));
  for (const { id: executionId, projectId, pipelineId: pipeline, lastSeq } of places) {
    const from = since[executionId] ?? 0;
    if (lastSeq <= from || (pipelineId !== null && pipeline !== pipelineId)) continue;
    const about = { type: 'pipeline_update', projectId, pipelineId: pipeline, executionId } as const;
    const read = (after: number, limit: number) => inTurn(() => executions.events(userId, executionId, after, limit).catch(noneIfRemoved));
    for await (const page of readMissed(read, from, readAtOnce)) {
      yield page.map((event) => ({ ...about, status: event.status, seq: event.seq, event }));
    }
  }
}

function noneIfRemoved(error: unknown): [] {
  if (error instanceof ApiError && error.code === 'not_found') return [];
  throw error;
}

/** Reads a log from after `since` to its end, in pages of `size` entries. The next page is read when the last one was taken. */
export async function* readMissed<T extends { seq: number }>(
  read: (since: number, limit: number) => Promise<T[]>,
  since: number,
  size: number,
): AsyncGenerator<T[]> {
  for (let last = since; ; ) {
    const page = await read(last, size);
    if (page.length > 0) yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < size) return;
    last = end.seq;
  }
}
