import { useEffect, useState } from 'react';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Problem } from '../../../model/problem.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

/** After an edit of the canvas its pipeline is stored again this much later (ms). */
const storeAfterMs = 400;

type Stored = { document: CanvasDocument; pipelineId: string | undefined; problem: Problem | null };

/**
 * The pipeline of the canvas as it is now, for a fork of a run, while `isAsked`. It follows edits. A pipeline in which no fork runs is removed
 * with the component.
 */
export function useForkPipeline(
  executionId: string,
  isAsked: boolean,
): { pipelineId: string | undefined; problem: Problem | null; isReady: boolean } {
  const dispatch = useDispatch();
  const document = useWorkspace((state) => state.document);
  const [stored, setStored] = useState<Stored | null>(null);
  const isFirst = stored === null;
  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const store = async () => {
      const outcome = await dispatch({ type: 'run.storeForkPipeline', executionId });
      if (!isCurrent) return;
      setStored({ document, pipelineId: outcome.ok ? outcome.value?.pipelineId : undefined, problem: outcome.ok ? null : outcome.error });
    };
    const timer = setTimeout(() => void store(), isFirst ? 0 : storeAfterMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [dispatch, executionId, isAsked, document, isFirst]);
  useEffect(() => () => void dispatch({ type: 'run.dropForkPipeline' }), [dispatch]);
  if (!isAsked) return { pipelineId: undefined, problem: null, isReady: true };
  return { pipelineId: stored?.pipelineId, problem: stored?.problem ?? null, isReady: stored?.document === document };
}
