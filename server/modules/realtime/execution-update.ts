import type { ExecutionUpdate } from '../../../contract/realtime.ts';
import type { PipelineUpdate } from './user-feed.ts';

const updates = new WeakMap<PipelineUpdate, ExecutionUpdate>();

/** Converts an event for the sockets of its pipeline. Every socket gets the same object, so it is serialised once. */
export function executionUpdateOf(message: PipelineUpdate): ExecutionUpdate {
  const known = updates.get(message);
  if (known) return known;
  const { pipelineId, executionId, seq, event } = message;
  const { status, progress, step, text, error, type } = event;
  const result = type === 'execution.completed' ? text : null;
  const update: ExecutionUpdate = { type: 'execution_update', pipelineId, executionId, seq, status, progress, step, result, error };
  updates.set(message, update);
  return update;
}
