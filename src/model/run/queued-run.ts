import { z } from 'zod';

/** A dialog's message that starts a run after the active one. The server stores it as an execution that waits for its start. */
export type QueuedRun = {
  executionId: string;
  pipelineId: string;
  dialogNodeId: string | null;
  text: string;
  /** The execution whose results the run receives; null if it needs none. */
  followsId: string | null;
};

/** The mark of an execution that waits in the workspace's queue. */
const mark = z.object({ queued: z.object({ followsId: z.string().nullable() }) });

/** The pipeline's configuration with the mark, as JSON text. */
export function markAsQueued(configuration: string | undefined, followsId: string | null): string {
  return JSON.stringify({ ...(JSON.parse(configuration ?? '{}') as object), queued: { followsId } });
}

/** Parses the mark; null for a pipeline without it. */
export function readQueueMark(configuration: string): { followsId: string | null } | null {
  try {
    const read = mark.safeParse(JSON.parse(configuration));
    return read.success ? read.data.queued : null;
  } catch {
    return null;
  }
}
