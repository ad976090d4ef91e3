import { useMemo } from 'react';
import type { PromptChange } from '../../../../contract/agent-change.ts';
import type { Call } from '../../../model/call.ts';
import type { Outcome, Problem } from '../../../model/problem.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useLoad } from '../../server-data/use-read.ts';

const pageSize = 50;
const none: readonly PromptChange[] = [];

/**
 * Reads the changes of prompts on the open canvas since a moment, newest first; all of them where that is null. They are read again after an edit of an
 * agent or of the canvas, and with another `turn`.
 */
export function usePromptChanges(since: string | null, turn: number): { changes: readonly PromptChange[]; problem: Problem | null } {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const version = useWorkspace(({ save }) => save.version);
  const agents = useWorkspace((state) => state.agents.byId);
  const { value, problem } = useLoad(
    'project.promptChanges',
    projectId && { projectId, since },
    (call) => readChanges(call, projectId ?? '', since),
    { when: useMemo(() => [version, agents, turn], [version, agents, turn]), about: projectId, keepsProblem: true },
  );
  return { changes: value ?? none, problem };
}

async function readChanges(call: Call, projectId: string, since: string | null): Promise<Outcome<PromptChange[]>> {
  const found: PromptChange[] = [];
  for (;;) {
    const query = { limit: pageSize, offset: found.length };
    const answer = await call('project.promptChanges', { params: { id: projectId }, query });
    if (!answer.ok) return answer;
    found.push(...answer.value);
    const last = answer.value.at(-1);
    if (!last || answer.value.length < pageSize || (since !== null && last.at < since)) break;
  }
  return { ok: true, value: since === null ? found : found.filter(({ at }) => at >= since) };
}
