import { useEffect, useState } from 'react';
import type { PromptChange } from '../../../../contract/agent-change.ts';
import type { Problem } from '../../../model/problem.ts';
import { useCall, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

const pageSize = 50;

/**
 * Reads the changes of prompts on the open canvas since a moment, newest first; all of them where that is null. They are read again after an edit of an
 * agent or of the canvas, and with another `turn`.
 */
export function usePromptChanges(since: string | null, turn: number): { changes: readonly PromptChange[]; problem: Problem | null } {
  const call = useCall();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const version = useWorkspace(({ save }) => save.version);
  const agents = useWorkspace((state) => state.agents.byId);
  const [changes, setChanges] = useState<readonly PromptChange[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit and a retry make the list out of date
  useEffect(() => {
    let isGone = false;
    void (async () => {
      if (projectId === null) return;
      const found: PromptChange[] = [];
      for (;;) {
        const answer = await call('project.promptChanges', { params: { id: projectId }, query: { limit: pageSize, offset: found.length } });
        if (isGone) return;
        setProblem(answer.ok ? null : answer.error);
        if (!answer.ok) return;
        found.push(...answer.value);
        const last = answer.value.at(-1);
        if (!last || answer.value.length < pageSize || (since !== null && last.at < since)) break;
      }
      setChanges(since === null ? found : found.filter(({ at }) => at >= since));
    })();
    return () => {
      isGone = true;
    };
  }, [call, projectId, version, agents, since, turn]);
  return { changes, problem };
}
