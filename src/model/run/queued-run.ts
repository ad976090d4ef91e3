import { z } from 'zod';
import type { ExecutionDetails } from '../../../contract/execution.ts';

/** A dialog's message that starts a run of its own after the run under way. The server keeps it, as an execution that waits for its start. */
export type QueuedRun = {
  executionId: string;
  pipelineId: string;
  dialogNodeId: string | null;
  text: string;
  /** The execution whose results the run is given; null for one that needs none. */
  followsId: string | null;
};

/** What marks a pipeline's execution as one that waits in the workspace's queue, among those that were made otherwise. */
const mark = z.object({ queued: z.object({ followsId: z.string().nullable() }) });

/** The pipeline's configuration, JSON text, with the mark. */
export function markAsQueued(configuration: string | undefined, followsId: string | null): string {
  return JSON.stringify({ ...(JSON.parse(configuration ?? '{}') as object), queued: { followsId } });
}

/** Null for a pipeline without the mark. */
export function readQueueMark(configuration: string): { followsId: string | null } | null {
  try {
    const read = mark.safeParse(JSON.parse(configuration));
    return read.success ? read.data.queued : null;
  } catch {
    return null;
  }
}

/** The server takes no longer text. */
const maxResultsLength = 100_000;

/** What a run did, for the run that follows it: its task and the results of its steps, in order (Markdown). */
export function resultsOf({ initialTask, steps }: Pick<ExecutionDetails, 'initialTask' | 'steps'>): string {
  const done = steps.filter(({ result }) => result?.trim()).sort((a, b) => a.orderIndex - b.orderIndex);
  return [`# ${initialTask}`, ...done.map(({ name, result }) => `## ${name}\n\n${result}`)].join('\n\n').slice(0, maxResultsLength);
}
